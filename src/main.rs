fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = unthread::c::preprocess::preprocess(std::path::Path::new(&path), &unthread::c::preprocess::PreprocessOptions{compiler:"cc".into(), data_model: unthread::il::DataModel::Lp64, arguments: vec![]}).unwrap();
    match unthread::read(&path, text, unthread::il::DataModel::Lp64) {
        Ok(r) => print!("{}", unthread::il::print::print(&unthread::normalize(r.program), Default::default())),
        Err(e) => eprintln!("{}", e.diagnostic.render(Some(&e.source))),
    }
}

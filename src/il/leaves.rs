//! The scalars that an object consists of, and the bytes between them.

use super::types::{Field, IntKind};
use super::{Expr, Place, Projection, RecordId, Type, TypeId, Types};

/// Objects with more scalars than this get any value as a whole, by one operation.
const MAX_SCALARS: usize = 64;

/// The scalars that a place consists of; the place itself if there are too many.
pub fn scalars(types: &mut Types, place: Place) -> Vec<Place> {
    let mut out = Vec::new();
    if collect(types, place.clone(), &mut out) { out } else { vec![place] }
}

fn collect(types: &mut Types, place: Place, out: &mut Vec<Place>) -> bool {
    match types.get(place.ty).clone() {
        Type::Record(record) => {
            let fields = types.record(record).fields.clone();
            let only = covering_member(types, record);
            for (index, field) in fields.iter().enumerate() {
                if (field.name.is_none() && field.bits.is_some()) || only.is_some_and(|only| only != index) {
                    continue;
                }
                let mut member = place.clone();
                member.projections.push(Projection::Field(record, index as u32));
                member.ty = field.ty;
                if !collect(types, member, out) {
                    return false;
                }
            }
            true
        }
        Type::Array(element, count) => {
            let int = types.int(IntKind::Int);
            for index in 0..count {
                let mut item = place.clone();
                item.projections.push(Projection::Index(Box::new(Expr::int(i128::from(index), int)), element));
                item.ty = element;
                if out.len() > MAX_SCALARS || !collect(types, item, out) {
                    return false;
                }
            }
            true
        }
        Type::Void | Type::OpenArray(_) | Type::Function(_) | Type::VaList => true,
        Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
            out.push(place);
            out.len() <= MAX_SCALARS
        }
        Type::Atomic(_) | Type::Qualified { .. } | Type::VariableArray { .. } => true,
    }
}

/// The member of a union without padding that is as large as the union: it holds every byte of the others.
fn covering_member(types: &Types, record: RecordId) -> Option<usize> {
    let record = types.record(record);
    let covers = |field: &Field| {
        let mut element = field.ty;
        while let Some(inner) = types.element(element) {
            element = inner;
        }
        field.bits.is_none() && types.is_scalar(element) && types.size(field.ty) == record.size
    };
    if record.union { record.fields.iter().position(covers) } else { None }
}

/// Are there bytes that belong to no member?
pub fn has_padding(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Record(record) => {
            let record = types.record(*record);
            let mut end = 0;
            let mut gap = false;
            for field in &record.fields {
                gap |= field.bits.is_some() || has_padding(types, field.ty);
                gap |= if record.union { types.size(field.ty) < record.size } else { field.offset > end };
                end = end.max(field.offset + types.size(field.ty));
            }
            gap || end < record.size
        }
        Type::Array(element, _) => has_padding(types, *element),
        Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Pointer(_)
        | Type::OpenArray(_)
        | Type::Function(_)
        | Type::VaList
        | Type::Atomic(_)
        | Type::Qualified { .. }
        | Type::VariableArray { .. } => false,
    }
}

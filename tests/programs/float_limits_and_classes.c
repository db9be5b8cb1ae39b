/* DBL_MAX is written as long double; NaN and infinity have their own rules and spellings. */
#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
    double zero = 0.0, nan = zero / zero, folded = 0.0 / 0.0;
    printf("%g %g %g\n", DBL_MAX, DBL_MIN, (double)FLT_EPSILON);
    printf("%d %d %d\n", nan == nan, folded != folded, !!isnan(NAN));
    printf("%d %d %d\n", !!isinf(1 / zero), !!isinf(1.0), !!isnan(1.0));
    return 0;
}

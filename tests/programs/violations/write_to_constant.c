// A write to a string literal.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
static char *text = "text";

int main(void)
{
    text[0] = 'T'; // <- here
    return 0;
}

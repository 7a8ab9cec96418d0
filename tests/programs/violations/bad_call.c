// A call through a null function pointer.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
static void (*volatile callback)(void);

int main(void)
{
    callback(); // <- here
    return 0;
}

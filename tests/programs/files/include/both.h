void fill(void);
void put_x(int value);
void put_y(int value);
int get_x(void);
int get_y(void);
void note(int value);

// is an array of that name (does not compile: it is not a function)
// refused as is not a function
char transpose[4096] = {1};

# For the tools that read tables of results/: the canonical text of a problem, whichever way a table's heading names it.
#   awk "$(cat tools/problems.awk)"'PROGRAM'
# "matmul:m=512,n=512,…" is canonical; "matmul 512 × 512 × 512, f32" leaves out the names of the shape's fields, and every
# field at its default. tests/cli/headings.sh compares these rows with the program's.
BEGIN {
    problem_fields["transpose"] = "rows cols"
    problem_fields["dot"] = "n input=unit"
    problem_fields["sort"] = "n input=uniform"
    problem_fields["resize"] = "width height out_width=2*width out_height=2*height"
    problem_fields["wave"] = "nx ny nz steps=4 courant=0.4 input=plane"
    problem_fields["matmul"] = "m n k alpha=1 beta=0 transa=n transb=n lda_pad=0 ldb_pad=0 ldc_pad=0 input=signed"
    problem_fields["pipeline"] = "n input=unit"
}
function problem_size(text) {
    return text ~ /^2\^/ ? sprintf("%d", 2 ^ substr(text, 3)) : text
}
# "" where the line is not the heading of a problem; "?" where it is one of an unknown kernel
function problem_of(line,    parts, count, kernel, sizes, fields, i, value, text, given, pair) {
    if (line ~ /^[a-z]+:[^ ]+$/) return line
    if (line !~ /^[a-z]+ [0-9][^,]*, ([^ ,]+, )*[a-z]+[0-9]+(, seed=[0-9]+)?$/) return ""
    count = split(line, parts, ", ")
    kernel = substr(parts[1], 1, index(parts[1], " ") - 1)
    if (!(kernel in problem_fields)) return "?"
    split(substr(parts[1], length(kernel) + 2), sizes, " × ")
    for (i = 2; i <= count; i++)
        if (split(parts[i], pair, "=") == 2) given[pair[1]] = pair[2]
    text = kernel ":"
    count = split(problem_fields[kernel], fields, " ")
    for (i = 1; i <= count; i++) {
        split(fields[i], pair, "=")
        value = i in sizes ? problem_size(sizes[i]) : pair[2]
        if (value ~ /^2[*]/) value = 2 * given[substr(value, 3)]
        if (pair[1] in given) value = given[pair[1]]
        given[pair[1]] = value
        text = text pair[1] "=" value ","
    }
    for (i = 2; parts[i] ~ /=/; i++);
    return text parts[i] (("seed" in given) ? ",seed=" given["seed"] : "")
}

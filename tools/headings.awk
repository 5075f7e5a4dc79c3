# The canonical text of a problem from the heading that people read, for tools that read tables in results/:
# "matmul 4096 × 4096 × 64, transb=t, f32" is "matmul:m=4096,n=4096,k=64,alpha=1,beta=0,transa=n,transb=t,…,f32". Empty for
# headings of other kernels, and of sizes that are written as powers of two.
function canonical(heading,    parts, sizes, pair, count, i, text) {
    if (heading !~ /^matmul [0-9]+ × [0-9]+ × [0-9]+(, [a-z_]+=[^,]+)*, f[0-9]+$/) return ""
    count = split(substr(heading, 8), parts, ", ")
    split(parts[1], sizes, " × ")
    text = "matmul:m=" sizes[1] ",n=" sizes[2] ",k=" sizes[3]
    text = text ",alpha=1,beta=0,transa=n,transb=n,lda_pad=0,ldb_pad=0,ldc_pad=0,input=signed"
    for (i = 2; i < count; i++) {
        split(parts[i], pair, "=")
        sub("," pair[1] "=[^,]*", "," parts[i], text)
    }
    return text "," parts[count]
}

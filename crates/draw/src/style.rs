//! The colours and letters of all drawings.
//!
//! The colours of sides differ in brightness too, and the pieces of the second side have a ring, so
//! that nobody needs to tell two colours apart. The shades are those of Okabe and Ito.

/// One rule after the other, the rules for a dark page last.
pub const STYLE: &str = "\
text{font:13px system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#1f2430}\
.h1{font-size:15px;font-weight:600}\
.s{fill:#5b6372}.n{font-size:10px;fill:#5b6372}.ax{font-size:11px;fill:#5b6372}\
.b{font-weight:700}\
.g{font-weight:600}.i{fill:#fff}.u{fill:#16191f}\
.page{fill:#fff;stroke:#d9dde3}\
.cell{fill:#eef1f5;stroke:#bcc4cf}.dark{fill:#d3dbe5;stroke:#bcc4cf}\
.blocked{fill:#4b5563;stroke:#374151}.empty{fill:#fff;stroke:#8a93a3}.dot{fill:#5b6372}\
.first{fill:#0072b2;stroke:#004f7d}.second{fill:#e69f00;stroke:#9a6a00}.neutral{fill:#9aa1ad;stroke:#5b6372}\
.red{fill:#d55e00;stroke:#8f3f00}.yellow{fill:#f0e442;stroke:#9a8f00}.green{fill:#009e73;stroke:#00694d}\
.blue{fill:#3d8fd1;stroke:#1f5f95}.white{fill:#fdfdfb;stroke:#5b6372}.black{fill:#22262e;stroke:#000}\
.ring{fill:none;stroke-width:1.5;stroke-opacity:.75}.ri{stroke:#fff}.ru{stroke:#16191f}\
.ln{fill:none;stroke-width:2.5;stroke-linecap:round}.open{stroke:#c9cfd8;stroke-width:1.5;stroke-dasharray:2 5;fill:none}\
.x{fill:none;stroke-width:4.5;stroke-linecap:round}\
.area{fill-opacity:.4;stroke:none}.join{stroke:none}\
.mark{fill:#ffe08a;stroke:#d98500;stroke-width:2}\
.band{stroke:#ffe08a;stroke-width:11;stroke-linecap:round}\
.card{fill:#fffefb;stroke:#8a93a3}.slot{fill:none;stroke:#9aa3b2;stroke-dasharray:3 3}\
.cr{fill:#c8102e}.ck{fill:#16191f}.r{font-weight:700}\
.back{fill:#3b6fb6;stroke:#27507f}.bk{fill:none;stroke:#dbe7f7}.hot{stroke:#d98500;stroke-width:3}\
@media(prefers-color-scheme:dark){\
text{fill:#e6e9ee}.s,.n,.ax{fill:#a7afbc}.i{fill:#fff}.u,.ck{fill:#16191f}.cr{fill:#c8102e}\
.page{fill:#15181d;stroke:#383f4a}.cell{fill:#3b4452;stroke:#5a6575}.dark{fill:#4e5a6b;stroke:#5a6575}\
.blocked{fill:#0b0d10;stroke:#2a303a}.empty{fill:#15181d;stroke:#8a93a3}.dot{fill:#a7afbc}\
.first{stroke:#5cb8ec}.second{stroke:#ffd27a}.neutral{stroke:#c9cfd8}.red{stroke:#ff9a57}.yellow{stroke:#fff6a8}\
.green{stroke:#4fd6ae}.blue{stroke:#9ccdf5}.white{stroke:#fff}.black{stroke:#aab2bf}\
.ri{stroke:#fff}.ru{stroke:#16191f}.join,.area{stroke:none}.open{stroke:#495260}\
.mark{fill:#6b5413;stroke:#f2b234}.hot{stroke:#f2b234}.band{stroke:#6b5413}}";

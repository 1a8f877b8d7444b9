/// Markup that everything that reads pages must read alike: the rewriter, the reader's tree and the text for searching.
package enum MarkupCorpus {
    /// In each, "seen" is text of the page, and "hidden" is not.
    package static let texts: [String] = [
        // Attributes: a name may begin with `=`, and what ends a name is five bytes, not every control.
        "<p><a =\"hidden>seen</a> <a title=\"x\">y</a>", "<p><a b/=\"hidden>seen</a> <a title=\"x\">y</a>",
        "<p><b\u{B}title=\"hidden>seen</b> <a title=\"x\">y</a>", "<p>seen<b c=\">hidden\"></b>",
        "<p>seen<i title='hidden>",
        "<p>seen<i title='>hidden", "<p>seen</p hidden", "<a b='c'title=\">hidden\">seen</a>",
        // Names are compared whole, as long as they are.
        "<template-card>seen</template-card>", "<noscript-note>seen</noscript-note>",
        "<textareas><b>seen</b></textareas>",
        "<style\0>seen</style\0>", "<script\0>seen</script\0>", "<title-bar>seen</title-bar>",
        "<script><!-- x --></scripts>hidden</script>seen", "<style>hidden</style\0></style>seen",
        // Scripts: `<!--` and `<script` hide one end tag, until `-->`.
        "<script><!--<script></script>hidden</script>seen",
        "<script><!-- document.write(\"<script>hidden\"); --></script><p>seen",
        "<script>a = '<!--'; b = '<script>hidden'; c = '-->'</script><p>seen",
        "<script><!--><script>hidden</script>seen", "<script>'<p>hidden</p>'</script >seen",
        // What looks like a section, an instruction or a declaration is a comment in HTML.
        "<p><![CDATA[hidden]]>seen", "<p><?php hidden ?>seen", "<p><!hidden>seen", "<p></ hidden>seen",
        "<p>seen<!hidden",
        "<!-->seen<!-- hidden -->", "<!--->seen<!-- hidden --!>", "<p>seen<!-- hidden", "<!-- hidden --!>seen",
        // Drawings end with markup that cannot be in them, titles of theirs are no raw text.
        "<svg><path><p>seen</p>", "<svg><path><span>seen</span>", "<div><svg><path></div>seen",
        "<svg><desc>hidden</desc></svg>seen", "<svg><title>hidden</title></svg>seen",
        "<svg><title><b>hidden</b></title></svg>seen", "<svg/>seen", "<svg><script/><desc>hidden</desc></svg>seen",
        // The head ends with text, too; its title is never shown.
        "<head><title>hidden</title>seen", "<title>hidden</title>seen", "<p>seen<title>hidden</title>",
        "<head><script/>x<p>hidden</script><p>seen", "<head><meta name=hidden><p>seen",
        "<head><noscript>hidden</noscript><title>hidden</title></head>seen",
        // What a `noscript` does not close ends with it.
        "<noscript><iframe src=hidden /></noscript><p>seen</p>", "<noscript><!-- hidden </noscript><p>seen</p>",
        "<noscript><style>hidden</noscript><p>seen</p>", "<noscript><div><div></noscript><p>seen</p>",
        "<noscript><a title='hidden</noscript><p>seen</p>",
        "<template><p>hidden<template>hidden</template>hidden</template>seen",
        "<iframe><p>hidden</iframe>seen", "<noframes><p>hidden</noframes>seen", "<noembed>hidden</noembed>seen",
        // Text.
        "<p>seen</", "<p>seen<", "<p>s&#101en</p>", "<3 seen", "</>seen", "<plaintext>seen",
    ]

    /// In each, the picture p.png stands in the page.
    package static let pictures: [String] = [
        "<img src=p.png>", "<image src=p.png>", "<img src=placeholder.gif data-src=p.png>",
        "<img src=placeholder.gif data-lazy-src=p.png>", "<img src=placeholder.gif data-original=p.png>",
        "<img src=placeholder.gif data-lazy=p.png>", "<img srcset='p.png 2x'>", "<img data-srcset='p.png 2x'>",
        "<img data-lazy-srcset='p.png 2x'>", "<img srcset='data:,(a,b) 1x, p.png 2x'>",
        "<picture><source srcset='p.png 640w'><img></picture>",
        "<picture><source data-lazy-srcset='p.png 640w'><img></picture>",
        "<svg><path><img src=p.png></svg>", "<svg><g><img src=p.png>", "<math><mi><img src=p.png></math>",
        "<noscript><img src=p.png></noscript>", "<noscript><p><img src=p.png></p></noscript>",
        "<img src=other.png><noscript><figure><img src=p.png width=300></figure></noscript>",
        "<noscript><iframe src=x /></noscript><img src=p.png>",
        "<script><!-- document.write(\"<script>\"); --></script><img src=p.png>", "<style\0><img src=p.png></style\0>",
        "<img\nsrc\n=\np.png>", "<img/src=p.png />", "<img alt='>'src='p.png'>", "<img =x src=p.png>",
    ]
}

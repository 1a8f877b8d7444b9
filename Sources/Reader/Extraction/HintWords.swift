internal import HTML

/// The words of class and id attributes that carry a hint. They come from the conventions of blog and news systems
/// (WordPress, Drupal, Joomla, TYPO3, Blogger …), not from single sites.
struct HintWords: Sendable {
    static let shared = HintWords()

    /// Words of a name.
    let words = table(groups)
    /// Whole names, without hyphens and underscores.
    let whole = table(wholeNames)
    /// The first words of names that describe a state or the subject of the article.
    let states = table([([], "is has js no with category tag type format status u mod has not keyword topic")])
    private let beginnings = table(beginningsOfWords)

    private static func table(_ groups: [(Hints, String)]) -> Table {
        Table(
            names: NameTable(
                groups.flatMap { hints, words in
                    Set(words.split(separator: " ")).map { (String($0), Int(hints.rawValue)) }
                }))
    }

    struct Table: Sendable {
        fileprivate let names: NameTable

        func find(_ key: NameKey) -> Hints? { names.find(key).map { Hints(rawValue: UInt32($0)) } }
    }

    /// The hints of the first six letters of a longer word.
    func beginning(_ key: NameKey) -> Hints? { key.count > 6 ? beginnings.find(key.prefix(6)) : nil }

    private static let beginningsOfWords: [(Hints, String)] = [
        (.comments, "commen disqus"), (.subscription, "newsle subscr"), (.consent, "cookie consen"),
        (.sidebar, "sideba"),
        (.navigation, "naviga navbar breadc pagina"), (.footer, "footer"), (.advertisement, "advert sponso"),
        (.related, "relate recomm outbra taboola"), (.share, "sharin social"),
    ]

    private static let wholeNames: [(Hints, String)] = [
        (
            .hidden,
            "hidden hide noprint invisible offscreen visuallyhidden hideme notloaded sronly screenreadertext ishidden dnone "
                + "printonly visuallyhide uhidden elementinvisible assistivetext printhidden srtext"
        ),
        (.article, "entry post story artikel"),
        (.tags, "taglist tagcloud taglinks categorylinks catlinks"),
        // Buttons that copy an example.
        (
            .interface,
            "copybutton copybtn copycode copycodebutton copyicon copytoclipboard codecopy codecopybutton "
                + "btncopy btnclipboard buttoncopy clipboardcopy clipboardbutton clipboardbtn"
        ),
    ]

    private static let groups: [(Hints, String)] = [
        (.subject, "article art post story news blog entry page single theme section artikel beitrag node field press"),
        ([.subject, .matter], "body text main"),
        (.matter, "content copy inhalt fulltext contenu contenido bodycopy contents txt bodytext cuerpo"),
        (
            .article,
            "articlebody articletext articlecontent postcontent postbody postentry posttext entrycontent storybody "
                + "storycontent storytext maincontent bodycontent contentbody newsbody newstext pagecontent newscontent "
                + "maintext blogcontent contentmain hentry artikeltext artikelbody"
        ),
        (
            .comments,
            "comment comments respond reply replies kommentare kommentar comentarios commentaires nocomments livefyre "
                + "trackback pingback dsq"
        ),
        (
            .share,
            "share sharing shares shariff social sociable addtoany addthis sharedaddy sharebar sharebox sharebuttons "
                + "sharethis viral teilen ssba heateor likes like follow followus"
        ),
        (
            .related,
            "related similar yarpp jp popular mostread trending upnext nextpost prevpost morestories readmore moreon "
                + "suggested suggestions zergnet plista nextarticle seealso ligatus crp relacionadas relacionados alsoread "
                + "weiterlesen"
        ),
        (
            .navigation,
            "nav navi subnav menu menus menubar breadcrumb crumbs crumb paging pager postnav sitemap toc topbar skip skiplink "
                + "toolbar submenu megamenu brotkrumen topnav"
        ),
        (.footer, "footer copyright colophon impressum imprint pagefooter"),
        (.sidebar, "sidebar rightcol leftcol rail marginal rightrail randspalte seitenleiste"),
        (
            .advertisement,
            "ad ads advert adsense adslot adbox adunit dfp gpt sponsor promo promos anzeige werbung publicidad banner "
                + "banners adcontainer adwrapper adblock googlead affiliate criteo paidcontent"
        ),
        (
            .subscription,
            "newsletter subscribe signup signin login register paywall optin mailchimp abo donate donation syndication piano "
                + "registration"
        ),
        (.consent, "cookie cookies gdpr consent cmp dsgvo"),
        (
            .byline,
            "byline author authors autor autoren authorbox authorbio bio verfasser posted writer auteur aboutauthor authorinfo "
                + "vcard contributor contributors authorname autorenzeile itemposter authortitle authorlink"
        ),
        (.name, "username poster"),
        (.meta, "meta metadata info infos postmeta entrymeta postinfo articleinfo credits credit source"),
        (.tags, "tags taxonomy keywords kategorien schlagwort schlagworte topics"),
        (.caption, "caption captions bildunterschrift figcaption imagetext bildtext"),
        (
            .interface,
            "button buttons btn modal popup lightbox overlay tooltip dropdown search searchform rating ratings vote votes "
                + "poll quiz survey icon icons loader spinner feedback contactbox kontakt"
        ),
        // A message of the page, or a box in its text: `PageHints` tells them apart.
        ([.interface, .notice], "alert notification notice"),
        (.notice, "admonition admonitionblock callout note tip warning caution danger important hinweis achtung"),
        (.widget, "widget widgets carousel slider slideshow form player contact contacts options"),
        (.title, "title headline heading titel ueberschrift titre titulo"),
        (
            .date,
            "date datum time timestamp published pubdate publishdate publish datetime fecha timedata stand dateline pubtime erstellt posttime"
        ),
        (
            .summary,
            "lead intro summary teasertext dek standfirst abstract excerpt vorspann chapo subtitle subheadline bajada"
        ),
        (.teaser, "teaser teasers promoted"),
        (.header, "header masthead branding logo"),
        (.embed, "embed embedded embeds twitter instagram facebook youtube tweet"),
    ]
}

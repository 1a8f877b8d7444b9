/// The words of class and id attributes that carry a hint. Collected from the habits of blog and news systems (WordPress, Drupal,
/// Joomla, TYPO3, Blogger …), not of single sites.
enum HintWords {
    static let table = NameTable<Hints>(
        groups.flatMap { hints, words in words.split(separator: " ").map { (String($0), hints) } })

    private static let groups: [(Hints, String)] = [
        (.subject, "article art post story news blog entry page single theme section artikel beitrag node field press"),
        ([.subject, .matter], "body text main"),
        (.matter, "content copy inhalt fulltext contenu contenido bodycopy contents txt bodytext"),
        (
            .article,
            "articlebody articletext articlecontent postcontent postbody postentry posttext entrycontent "
                + "storybody storycontent storytext maincontent bodycontent contentbody articulo newsbody newstext "
                + "pagecontent newscontent maintext blogcontent contentmain hentry"
        ),
        (
            .comments,
            "comment comments commentlist commentarea commentform commento disqus dsq respond reply replies "
                + "kommentare kommentar comentarios commentaires nocomments livefyre discussion trackback pingback"
        ),
        (
            .share,
            "share sharing shares shariff social sociable addtoany addthis sharedaddy socials sharebar sharebox "
                + "sharebuttons sharethis viral teilen ssba heateor jssocials socialshare likes like follow followus"
        ),
        (
            .related,
            "related relatedposts recommend recommended recommendation recommendations recommends similar "
                + "yarpp jp outbrain taboola popular mostread trending weitere upnext nextpost prevpost morestories "
                + "readmore teaser teasers moreon suggested suggestions zergnet plista nextarticle seealso ligatus "
                + "crp relacionadas relacionados alsoread"
        ),
        (
            .navigation,
            "nav navi navigation navbar subnav menu menus menubar breadcrumb breadcrumbs crumbs crumb "
                + "pagination pager paging pagenav postnav sitemap toc topbar skip skiplink toolbar navlinks submenu megamenu "
                + "brotkrumen"
        ),
        (.footer, "footer foot copyright colophon impressum imprint footnav pagefooter"),
        (.sidebar, "sidebar side rightcol leftcol rail marginal aside rightrail randspalte sidebars seitenleiste"),
        (
            .advertisement,
            "ad ads advert advertisement advertising advertorial adsense adslot adbox adunit dfp gpt "
                + "sponsor sponsored sponsors promo promos promotion promoted anzeige werbung publicidad pub banner banners "
                + "adcontainer adwrapper adblock googlead affiliate criteo paidcontent shop"
        ),
        (
            .subscription,
            "newsletter newsletters subscribe subscription signup signin login register paywall optin "
                + "mailchimp abo donate donation syndication piano registration"
        ),
        (.consent, "cookie cookies gdpr consent cmp privacy dsgvo cookiebar cookielaw cookiebanner"),
        (
            .byline,
            "byline author authors autor autoren authorbox authorbio bio verfasser posted writer auteur "
                + "aboutauthor authorinfo vcard contributor contributors"
        ),
        (.meta, "meta metadata info infos postmeta entrymeta postinfo articleinfo dateline credits credit source"),
        (.tags, "tags tag taglist tagcloud taxonomy keywords kategorien schlagwort schlagworte topics labels"),
        (.hidden, "hidden hide noprint invisible offscreen visuallyhidden noscript hideme notloaded"),
        (.caption, "caption captions bildunterschrift legend figcaption wp"),
        (
            .interface,
            "button buttons btn modal popup lightbox overlay tooltip dropdown search searchform rating ratings "
                + "vote votes print printer poll quiz survey icon icons widget widgets carousel slider slideshow "
                + "form player loader spinner alert notification notice feedback contact contacts options"
        ),
        (.title, "title headline heading titel ueberschrift titre titulo"),
        (.date, "date datum time timestamp published pubdate publishdate publish datetime fecha"),
        (.summary, "lead intro summary teasertext dek standfirst abstract excerpt vorspann chapo subtitle subheadline"),
        (.header, "header masthead branding logo"),
        (.embed, "embed embedded embeds twitter instagram facebook youtube tweet"),
    ]
}

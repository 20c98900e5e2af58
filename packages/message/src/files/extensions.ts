/**
 * Extensions of files that run or install something, or lead to something that does, where they are opened by a double click. They are what
 * Outlook blocks (https://support.microsoft.com/office/434752e1-02d3-4e90-9124-8b81e49a8519) and Gmail blocks
 * (https://support.google.com/mail/answer/6590), with what has since been used instead: disk images, which take away the mark of the web
 * (MITRE ATT&CK T1553.005), OneNote, shortcuts of other kinds, add-ins and documents with macros (T1137, T1204.002), and what macOS and
 * Linux run. Ordinary documents of offices are not included: doc, xls and pdf are judged by their content.
 */
const RISKY = new Set(
  [
    // Programs and drivers of Windows.
    'com cpl dll drv exe ocx pif scr sys vxd ex ex_ gadget lib its msc nsh osd pcd prg shb shs xnk',
    // Installers and packages.
    'appinstaller appx appxbundle application appref-ms diagcab diagcfg diagpack grp inf ins isp jnlp mcf msi msix msixbundle msp mst msu settingcontent-ms appcontent-ms',
    'theme themepack deskthemepack ceo ops pl plg prf',
    // Scripts.
    'ahk au3 bas bat bgi btm cmd hta htc js jse mjs csh fxp ksh mag msh msh1 msh1xml msh2 msh2xml mshxml ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 pssc',
    'py pyc pyo pyw pyz pyzw rb sct vb vbe vbp vbs ws wsb wsc wsf wsh xbap',
    // Shortcuts, and what leads to a search, a server or a command.
    'lnk url website library-ms searchconnector-ms search-ms scf desktop webloc fileloc inetloc rdp contact-ms group-ms glb',
    // Help with scripts.
    'chm hlp hpj',
    // Disk images.
    'img iso udf vhd vhdx vmdk dmg',
    // OneNote.
    'one onepkg onetoc2',
    // Office: documents with macros, templates, add-ins, queries and connections.
    'docm dotm xlsm xlsb xltm xlam pptm potm ppam ppsm sldm wll xla xll xlm xlt wbk wiz iqy oqy rqy dqy odc slk ppa vsto vsw vsmacros vssm vstm vsdm udl',
    // Databases of Access.
    'accda accdb accde accdr accdt accdu ade adp mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdn mdt mdw mdz laccdb',
    // The registry, certificates and others that Windows imports.
    'reg cer crt der job cnt',
    // Java, Flash, Android, browsers.
    'jar class jnlp swf spl apk aab ipa crx xpi air',
    // macOS and Linux.
    'app command workflow action osx pkg mpkg scpt scptd applescript sh bash zsh run elf deb rpm appimage snap flatpakref service',
    // Web archives and pages that run on a computer of one's own.
    'mht mhtml xht xhtml shtml asp aspx asx jsp php asa cfm',
    // Compiled, encoded or embedded elsewhere.
    'printerexport vbscript webpnp wcx wms wmz',
  ].flatMap((row) => row.split(' ')),
);

/** Extensions that say of nothing but a document. */
const DOCUMENTS = new Set(
  [
    'doc docx docm dot dotx dotm rtf wps wpd odt ott fodt odm pages abw sxw',
    'xls xlsx xlsm xlsb xlt xltx xltm ods ots fods numbers sxc',
    'ppt pptx pptm pot potx potm pps ppsx ppsm odp otp fodp key sxi',
    'pdf ps xps oxps epub djvu pub vsd vsdx vsdm mpp one odg odf odb hwp hwpx',
  ].flatMap((row) => row.split(' ')),
);

const ARCHIVES = new Set(
  [
    'zip zipx 7z rar r00 r01 tar tgz tbz tbz2 txz tzst gz bz2 xz lzma zst z lz lz4 br cab arj ace lha lzh cpio xar wim alz egg zoo arc uue',
    'iso img udf vhd vhdx dmg',
  ].flatMap((row) => row.split(' ')),
);

/** Active only with a script in them; where the content is not known, it may have one. */
const ACTIVE_TEXTS = new Set(['htm', 'html', 'svg', 'svgz', 'shtm', 'xhtm']);

/** Whether a file of this extension (lower case, without the dot) can run or install something where it is opened. */
export const isRiskyExtension = (extension: string): boolean => RISKY.has(extension) || extension.startsWith('{');

export const isDocumentExtension = (extension: string): boolean => DOCUMENTS.has(extension);

export const isArchiveExtension = (extension: string): boolean => ARCHIVES.has(extension);

export const isActiveText = (extension: string): boolean => ACTIVE_TEXTS.has(extension);

/** The properties of a kind of file, independent of its name. */
interface KindTraits {
  /** The extension of a file whose name has none. */
  extension: string;
  document?: true;
  archive?: true;
  /** It runs or installs something where it is opened. */
  risky?: true;
}

/** Kinds that are told by content (`kindOf`), and the extension each mostly has. */
export const KINDS = {
  // Documents.
  pdf: { extension: 'pdf', document: true },
  rtf: { extension: 'rtf', document: true },
  doc: { extension: 'doc', document: true },
  xls: { extension: 'xls', document: true },
  ppt: { extension: 'ppt', document: true },
  publisher: { extension: 'pub', document: true },
  visio: { extension: 'vsd', document: true },
  project: { extension: 'mpp', document: true },
  hwp: { extension: 'hwp', document: true },
  docx: { extension: 'docx', document: true },
  xlsx: { extension: 'xlsx', document: true },
  pptx: { extension: 'pptx', document: true },
  vsdx: { extension: 'vsdx', document: true },
  'encrypted-office': { extension: 'docx', document: true },
  odt: { extension: 'odt', document: true },
  ods: { extension: 'ods', document: true },
  odp: { extension: 'odp', document: true },
  odf: { extension: 'odg', document: true },
  epub: { extension: 'epub', document: true },
  xps: { extension: 'xps', document: true },
  iwork: { extension: 'pages', document: true },
  onenote: { extension: 'one', document: true, risky: true },
  postscript: { extension: 'ps', document: true },
  // Files with files in them.
  zip: { extension: 'zip', archive: true },
  '7z': { extension: '7z', archive: true },
  rar: { extension: 'rar', archive: true },
  tar: { extension: 'tar', archive: true },
  gzip: { extension: 'gz', archive: true },
  bzip2: { extension: 'bz2', archive: true },
  xz: { extension: 'xz', archive: true },
  zstd: { extension: 'zst', archive: true },
  compress: { extension: 'z', archive: true },
  lz4: { extension: 'lz4', archive: true },
  lzip: { extension: 'lz', archive: true },
  cab: { extension: 'cab', archive: true },
  arj: { extension: 'arj', archive: true },
  ace: { extension: 'ace', archive: true },
  lha: { extension: 'lzh', archive: true },
  cpio: { extension: 'cpio', archive: true },
  ar: { extension: 'a', archive: true },
  xar: { extension: 'xar', archive: true },
  wim: { extension: 'wim', archive: true },
  // Windows and macOS mount them as they are opened, and what is in them bears no mark of the web.
  iso: { extension: 'iso', archive: true, risky: true },
  vhd: { extension: 'vhd', archive: true, risky: true },
  vhdx: { extension: 'vhdx', archive: true, risky: true },
  dmg: { extension: 'dmg', archive: true, risky: true },
  // Programs, and packages that install some.
  exe: { extension: 'exe', risky: true },
  elf: { extension: 'elf', risky: true },
  'mach-o': { extension: 'macho', risky: true },
  'java-class': { extension: 'class', risky: true },
  jar: { extension: 'jar', risky: true },
  apk: { extension: 'apk', risky: true },
  dex: { extension: 'dex', risky: true },
  appx: { extension: 'appx', risky: true },
  msi: { extension: 'msi', risky: true },
  deb: { extension: 'deb', risky: true },
  rpm: { extension: 'rpm', risky: true },
  'browser-extension': { extension: 'crx', risky: true },
  flash: { extension: 'swf', risky: true },
  wasm: { extension: 'wasm', risky: true },
  script: { extension: 'sh', risky: true },
  'encoded-script': { extension: 'jse', risky: true },
  shortcut: { extension: 'lnk', risky: true },
  'internet-shortcut': { extension: 'url', risky: true },
  help: { extension: 'chm', risky: true },
  registry: { extension: 'reg', risky: true },
  access: { extension: 'mdb', risky: true },
  // Text.
  html: { extension: 'html' },
  svg: { extension: 'svg' },
  xml: { extension: 'xml' },
  calendar: { extension: 'ics' },
  vcard: { extension: 'vcf' },
  eml: { extension: 'eml' },
  text: { extension: 'txt' },
  // The rest.
  ole: { extension: 'ole' },
  msg: { extension: 'msg' },
  tnef: { extension: 'dat' },
  'pgp-message': { extension: 'asc' },
  sqlite: { extension: 'sqlite' },
  png: { extension: 'png' },
  jpeg: { extension: 'jpg' },
  gif: { extension: 'gif' },
  bmp: { extension: 'bmp' },
  webp: { extension: 'webp' },
  tiff: { extension: 'tif' },
  icon: { extension: 'ico' },
  heif: { extension: 'heic' },
  mp3: { extension: 'mp3' },
  mp4: { extension: 'mp4' },
  ogg: { extension: 'ogg' },
  flac: { extension: 'flac' },
  wav: { extension: 'wav' },
  avi: { extension: 'avi' },
  matroska: { extension: 'mkv' },
  font: { extension: 'ttf' },
  empty: { extension: '' },
  unknown: { extension: '' },
} satisfies Record<string, KindTraits>;

/** The kind of a file by its content. */
export type FileKind = keyof typeof KINDS;

export const traitsOf = (kind: FileKind): KindTraits => KINDS[kind];

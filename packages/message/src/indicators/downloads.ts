import { isAtOrUnder } from '@vedette/contract';

/**
 * Endings of files that browsers save: programs, archives, documents of offices, disk images. Files that browsers show (pages, pictures,
 * PDF, text) and endings that sites also use for scripts and pages (`js`, `com`, `bin`) are not included.
 */
const SAVED = new Set(
  (
    'exe msi msix appx scr bat cmd pif ps1 vbs vbe jse wsf wsh hta jar jnlp lnk reg dll cpl sys apk aab ipa dmg pkg deb rpm appimage ' +
    'zip zipx 7z rar r00 ace arj cab lzh gz tgz bz2 tbz2 xz txz zst tar iso img vhd vhdx wim udf ' +
    'doc docx docm dot dotx dotm xls xlsx xlsm xlsb xlt xltx xltm xlam ppt pptx pptm pps ppsx ppsm pot potx rtf odt ods odp onepkg vsd vsdx mdb accdb ' +
    'csv iqy slk eml msg ics vcf chm scf settingcontent-ms appref-ms torrent'
  ).split(' '),
);
/** Hosts whose links save a file where they say so. */
const SERVICES: readonly (readonly [host: string, says: RegExp])[] = [
  ['dropbox.com', /[?&]dl=1(?:&|$)/],
  ['dl.dropboxusercontent.com', /^\/./],
  ['drive.google.com', /^\/(?:uc|u\/\d+\/uc|open)\?(?:.*&)?export=download(?:&|$)/],
  ['drive.usercontent.google.com', /^\/download\b/],
  ['docs.google.com', /^\/[^?]*\/export\b/],
  ['1drv.ms', /[?&]download=1(?:&|$)/],
  ['onedrive.live.com', /^\/download\b|[?&]download=1(?:&|$)/],
  ['sharepoint.com', /^\/[^?]*\/download\.aspx\b|[?&]download=1(?:&|$)/],
  ['cdn.discordapp.com', /^\/attachments\//],
];

/** Whether following a URL saves a file: by the ending of its path, or as its service says. */
export function isDirectDownload({ hostname, pathname, search }: URL): boolean {
  const extension = /\.([a-z\d-]{1,15})$/i.exec(pathname.slice(-20).replace(/\/$/, ''))?.[1]?.toLowerCase();
  if (extension !== undefined && SAVED.has(extension)) return true;
  return SERVICES.some(([host, says]) => isAtOrUnder(hostname, host) && says.test(pathname + search));
}

import type { Part } from '../mime/index.ts';

/** One thing that is said, in one form or in several to choose from (multipart/alternative). */
export interface Passage {
  plain: Part[];
  html: Part[];
}

/** The parts of a message, without its fields. */
export interface Contents {
  /** The texts, in the order of the message. */
  passages: Passage[];
  /** Calendars that are another form of the text. Calendars with a name are files. */
  calendars: Part[];
  /** The files, in the order of the message. */
  files: FilePart[];
}

export interface FilePart {
  part: Part;
  /** It is a part of the HTML beside it (multipart/related, RFC 2387). */
  related: boolean;
}

/** Sorts the parts of a message into what is read and what is saved. Parts are nested at most as deep as the reader of MIME goes. */
export function contentsOf(message: Part): Contents {
  const contents: Contents = { passages: [], calendars: [], files: [] };
  sort(message, contents, { passage: undefined, related: false, first: true });
  return contents;
}

interface Around {
  /** That the alternatives around it say. */
  passage: Passage | undefined;
  related: boolean;
  /** Nothing stands before it in its multipart. */
  first: boolean;
}

function sort(part: Part, contents: Contents, around: Around): void {
  if (part.parts.length > 0) sortMultipart(part, contents, around);
  else if (isBody(part, around)) {
    const passage = around.passage ?? { plain: [], html: [] };
    if (around.passage === undefined) contents.passages.push(passage);
    passage[part.type === 'text/html' || part.type === 'text/x-amp-html' ? 'html' : 'plain'].push(part);
  } else if (part.type === 'text/calendar' && around.passage !== undefined && part.disposition !== 'attachment')
    contents.calendars.push(part);
  else if (part.size > 0 || part.filename !== '') contents.files.push({ part, related: around.related && !around.first });
}

function sortMultipart({ type, parts }: Part, contents: Contents, around: Around): void {
  const begins = type === 'multipart/alternative' && around.passage === undefined;
  const passage = begins ? { plain: [], html: [] } : around.passage;
  if (begins && passage !== undefined) contents.passages.push(passage);
  for (const [at, child] of parts.entries())
    sort(child, contents, { passage, related: type === 'multipart/related' || around.related, first: at === 0 && around.first });
}

/** Text with a name is a file, unless it is one of several forms, or all there is. */
function isBody({ type, disposition, filename, depth }: Part, { passage }: Around): boolean {
  if (disposition === 'attachment' || !/^text\/(?:plain|html|x-amp-html|enriched|watch-html)$/.test(type)) return false;
  return filename === '' || passage !== undefined || depth === 0;
}

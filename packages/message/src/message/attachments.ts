import type { EmlReport } from '../report/index.ts';
import { describeFile, type ExtractedFile, type FileFields, type FileKind, type FileQuota } from '../files/index.ts';
import type { IndicatorReader } from '../indicators/index.ts';
import { firstField, NESTED_MESSAGES_MAX, type Part, readMime } from '../mime/index.ts';
import { readBody, type TextBudget } from './body.ts';
import { contentsOf, type FilePart } from './contents.ts';
import { readPeople } from './head/fields.ts';

type AttachedFile = EmlReport['attachments']['files'][number];

/** The readers and budgets for the files of a message. */
export interface FileReaders {
  quota: FileQuota;
  indicators: IndicatorReader;
  budget: TextBudget;
}

/** Describes the files of a message in their order, until there are more than a report has room for. `cids`: what its HTML refers to. */
export async function describeAttachments(
  files: readonly FilePart[],
  cids: ReadonlySet<string>,
  readers: FileReaders,
): Promise<AttachedFile[]> {
  const described: AttachedFile[] = [];
  for (const { part, related } of files) {
    if (!readers.quota.file()) break;
    const { fields, within } = await describe(part, readers, 0);
    const referred = isReferred(part, cids);
    described.push({
      ...fields,
      content_type: part.type,
      content_id: part.contentId,
      disposition: part.disposition,
      is_inline: part.disposition === 'inline' || (part.disposition === '' && (related || referred)),
      cid_referenced: referred,
      extracted_files: within,
    });
  }
  return described;
}

/** `cid:` names a Content-ID (RFC 2392), any other reference a Content-Location (RFC 2557 §5). */
const isReferred = ({ contentId, contentLocation }: Part, cids: ReadonlySet<string>): boolean =>
  (contentId !== '' && cids.has(contentId)) || (contentLocation !== '' && cids.has(contentLocation));

/** A file, and everything that is in it. */
interface Opened {
  fields: FileFields;
  within: ExtractedFile[];
}

/** `depth`: how many attached messages it is in. */
async function describe(part: Part, readers: FileReaders, depth: number): Promise<Opened> {
  const content = part.content();
  const { kind, extracted, ...fields } = await describeFile({ name: part.filename, type: part.type, content, quota: readers.quota });
  // Messages that are forwarded as a file mostly have the media type of arbitrary bytes.
  const message = part.message ?? (kind === 'eml' ? readFile(content, readers) : undefined);
  if (message === undefined) readIndicators(part, kind, readers);
  for (const { kind: inner, content: text } of extracted) if (text !== undefined) readExtracted(inner, text, readers);
  const within = extracted.map(({ kind: _kind, content: _content, ...file }) => file);
  if (message !== undefined) for (const file of await filesOf(message, readers, depth + 1)) within.push(file);
  return { fields, within };
}

/** The limits of an attached message are reported for the whole message. */
function readFile(content: Uint8Array, { quota }: FileReaders): Part {
  const { root, limits } = readMime(content);
  for (const limit of limits) quota.limits.add(limit);
  return root;
}

/** Kinds of text that are read, whatever media type they come with: not XML, most of whose URLs are names of vocabularies. */
const TEXTS = new Set<FileKind>(['text', 'script', 'internet-shortcut', 'registry', 'vcard']);

/** Reads the indicators of a file that is text, or a picture with a code in it. */
function readIndicators(part: Part, kind: FileKind, { indicators, budget }: FileReaders): void {
  if (part.type === 'text/calendar' || kind === 'calendar') indicators.calendar(budget.plain(part));
  else if (kind === 'html' || kind === 'svg' || part.type === 'text/html') indicators.html(budget.html(part));
  else if (part.type.startsWith('text/') || TEXTS.has(kind)) indicators.text(budget.plain(part));
  else if (part.type.startsWith('image/')) indicators.image(part.content());
}

function readExtracted(kind: FileKind, content: Uint8Array, { indicators }: FileReaders): void {
  const text = Buffer.from(content).toString('utf8');
  if (kind === 'html' || kind === 'svg') indicators.html(text);
  else indicators.text(text);
}

/** The files of an attached message, and of those attached to it; what it says, and whom it names, is read for indicators. */
async function filesOf(message: Part, readers: FileReaders, depth: number): Promise<ExtractedFile[]> {
  if (depth > NESTED_MESSAGES_MAX) {
    readers.quota.limits.add('depth');
    return [];
  }
  const contents = contentsOf(message);
  readers.indicators.text(firstField(message, 'subject'));
  const people = readPeople(message);
  for (const address of people.all) readers.indicators.address(address);
  if (people.cut) readers.quota.limits.add('addresses');
  readBody(contents, readers.budget, readers.indicators);
  const files: ExtractedFile[] = [];
  for (const { part } of contents.files) {
    if (!readers.quota.file()) break;
    const { fields, within } = await describe(part, readers, depth);
    files.push({ ...fields, depth: 1, last_modified_at: '' });
    for (const file of within) files.push({ ...file, depth: file.depth + 1 });
  }
  return files;
}

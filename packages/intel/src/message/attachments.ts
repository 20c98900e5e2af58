import type { EmlReport } from '@vedette/contract';
import { type Described, describeFile, type Extracted, type FileQuota } from '../files/index.ts';
import type { IndicatorReader } from '../indicators/index.ts';
import { firstField, type Part } from '../mime/index.ts';
import { readBody, type TextBudget } from './body.ts';
import { contentsOf, type FilePart } from './contents.ts';

type AttachedFile = EmlReport['attachments']['files'][number];
type ExtractedFile = AttachedFile['extracted_files'][number];

/** What the files of a message are read with. */
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
    const { kind: _kind, extracted, ...fields } = await describe(part, readers);
    const referred = isReferred(part, cids);
    described.push({
      ...fields,
      content_type: part.type,
      content_id: part.contentId,
      disposition: part.disposition,
      is_inline: part.disposition === 'inline' || (part.disposition === '' && (related || referred)),
      cid_referenced: referred,
      extracted_files: [...extracted.map(reported), ...(await filesWithin(part.message, readers))],
    });
  }
  return described;
}

/** `cid:` names a Content-ID (RFC 2392), any other reference a Content-Location (RFC 2557 §5). */
const isReferred = ({ contentId, contentLocation }: Part, cids: ReadonlySet<string>): boolean =>
  (contentId !== '' && cids.has(contentId)) || (contentLocation !== '' && cids.has(contentLocation));

async function describe(part: Part, { quota, indicators, budget }: FileReaders): Promise<Described> {
  const content = part.content();
  const described = await describeFile({ name: part.filename, type: part.type, content, quota });
  if (part.message === undefined) readIndicators(described, part, { indicators, budget });
  return described;
}

/** What a file says of itself is read as far as it is text, or a picture with a code in it. */
function readIndicators({ kind, extracted }: Described, part: Part, { indicators, budget }: Omit<FileReaders, 'quota'>): void {
  if (part.type === 'text/calendar' || kind === 'calendar') indicators.calendar(budget.plain(part));
  else if (kind === 'html' || kind === 'svg' || part.type === 'text/html') indicators.html(budget.html(part));
  else if (part.type.startsWith('text/') || kind === 'text') indicators.text(budget.plain(part));
  else if (part.type.startsWith('image/')) indicators.image(part.content());
  for (const { content } of extracted) if (content) indicators.text(Buffer.from(content).toString('utf8'));
}

const reported = ({ kind: _kind, content: _content, ...file }: Extracted): ExtractedFile => file;

/** The files of an attached message, and of those attached to it; what it says is read for indicators. */
async function filesWithin(message: Part | undefined, readers: FileReaders): Promise<ExtractedFile[]> {
  if (message === undefined) return [];
  const contents = contentsOf(message);
  readers.indicators.text(firstField(message, 'subject'));
  readBody(contents, readers.budget, readers.indicators);
  const files: ExtractedFile[] = [];
  for (const { part } of contents.files) {
    if (!readers.quota.file()) break;
    const { kind: _kind, extracted, ...fields } = await describe(part, readers);
    files.push({ ...fields, last_modified_at: '' }, ...extracted.map(reported));
    for (const file of await filesWithin(part.message, readers)) files.push(file);
  }
  return files;
}

import type { JSX } from 'preact';
import { saveText } from '../look/save.ts';
import type { Asked } from './facts.ts';
import { markdown } from './markdown.ts';
import { misp } from './misp.ts';
import { sittingCsv, sittingJson, sittingMarkdown } from './sitting.ts';
import { stix } from './stix.ts';

interface Format {
  name: string;
  end: string;
  type: string;
  text: (answers: readonly Asked[]) => string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Formats of other programs; each takes one answer or all of a sitting. */
const THREAT_FORMATS: readonly Format[] = [
  { name: 'STIX', end: 'stix.json', type: 'application/stix+json', text: (answers) => json(stix(answers)) },
  { name: 'MISP', end: 'misp.json', type: 'application/json', text: (answers) => json(misp(answers)) },
];

const FORMATS: readonly Format[] = [
  { name: 'JSON', end: 'json', type: 'application/json', text: ([asked]) => json(asked!.report) },
  { name: 'Markdown', end: 'md', type: 'text/markdown', text: ([asked]) => markdown(asked!.operation, asked!.report) },
  ...THREAT_FORMATS,
];

/** Formats of a sitting. */
export const SITTING_FORMATS: readonly Format[] = [
  { name: 'JSON', end: 'json', type: 'application/json', text: sittingJson },
  { name: 'Markdown', end: 'md', type: 'text/markdown', text: sittingMarkdown },
  { name: 'CSV', end: 'csv', type: 'text/csv', text: sittingCsv },
  ...THREAT_FORMATS,
];

/** A button for each format. */
export const SaveAs = ({
  formats,
  name,
  answers,
}: {
  formats: readonly Format[];
  name: string;
  answers: () => readonly Asked[];
}): JSX.Element => (
  <>
    {formats.map((format) => (
      <button
        key={format.name}
        type="button"
        class="small"
        onClick={() => saveText(format.text(answers()), `${name}.${format.end}`, format.type)}
      >
        Save {format.name}
      </button>
    ))}
  </>
);

/** Buttons that save a report as files. */
export const SaveReport = ({ asked }: { asked: Asked }): JSX.Element => (
  <SaveAs formats={FORMATS} name={asked.operation} answers={() => [asked]} />
);

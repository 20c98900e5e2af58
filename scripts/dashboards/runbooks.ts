import { readFileSync } from 'node:fs';
import { dashboard } from './dashboard.ts';
import { text } from './panels.ts';

const PAGE = 'docs/runbooks/alerts.md';
const LINE_CHARS = 90;

/** Markdown without its links: they lead to pages of the repository, which Grafana does not have. */
const unlinked = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** Lines of a panel that is half as wide as the page. */
const lines = (markdown: string): number =>
  markdown.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARS)) + (line.startsWith('#') ? 1 : 0), 0);

const [, ...parts] = readFileSync(PAGE, 'utf8').split(/^## /m);

/** The page of runbooks, so that whoever reads an alert in Grafana has it there. */
export const runbooks = dashboard({
  uid: 'vedette-runbooks',
  title: 'Vedette / Runbooks',
  description: `What each alert means, and what to do: ${PAGE} of the release that these dashboards are of.`,
  sections: parts.map((part) => {
    const [title = '', ...rest] = part.split('\n');
    const alerts = rest.join('\n').split(/^(?=### )/m);
    return {
      title,
      panels: alerts
        .filter((markdown) => markdown.startsWith('### '))
        .map((markdown) => text({ markdown: unlinked(markdown.trim()), width: 12, height: 2 + Math.ceil(lines(markdown) * 0.75) })),
    };
  }),
});

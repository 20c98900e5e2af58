import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../deploy/grafana/dashboards', import.meta.url));

/** As Grafana's dashboards are written, as far as tests look. */
export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { type: string; uid: string };
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: {
    refId: string;
    expr: string;
    legendFormat: string;
    datasource: { uid: string };
    format: string;
    instant: boolean;
    range: boolean;
  }[];
  fieldConfig?: {
    defaults: { unit?: string; thresholds?: { steps: { color: string; value: number | null }[] }; links?: { url: string }[] };
    overrides: { matcher: { id: string; options: string }; properties: { id: string; value: unknown }[] }[];
  };
  options?: Record<string, any>;
  transformations?: { id: string; options: any }[];
  collapsed?: boolean;
  panels?: Panel[];
}

export interface Dashboard {
  uid: string;
  title: string;
  description: string;
  tags: string[];
  schemaVersion: number;
  links: { type: string; tags: string[] }[];
  templating: {
    list: { name: string; type: string; query: string | { query: string }; includeAll?: boolean; datasource?: { uid: string } }[];
  };
  annotations: { list: { name: string; expr?: string }[] };
  panels: Panel[];
}

/** Every dashboard of deploy/grafana, by its file's name. */
export const DASHBOARDS: ReadonlyMap<string, Dashboard> = new Map(
  globSync(`${FOLDER}/*.json`)
    .toSorted()
    .map((path) => [basename(path, '.json'), JSON.parse(readFileSync(path, 'utf8')) as Dashboard]),
);

/** Its panels, those in rows too; rows themselves where `rows` is set. */
export const panelsOf = ({ panels }: Pick<Dashboard, 'panels'>, { rows = false } = {}): Panel[] =>
  panels.flatMap((panel) => (panel.type === 'row' ? [...(rows ? [panel] : []), ...(panel.panels ?? [])] : [panel]));

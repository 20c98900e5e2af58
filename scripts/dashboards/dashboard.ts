import { DATASOURCE, type Panel } from './panels.ts';

const COLUMNS = 24;

/** Panels under a heading, in reading order; a collapsed one asks Prometheus nothing until it is opened. */
export interface Section {
  title: string;
  collapsed?: boolean;
  panels: readonly Panel[];
}

/** Something to choose at the top, out of a label's values. */
export interface Variable {
  name: string;
  label: string;
  /** `label_values(<series>, <label>)` */
  query: string;
  /** Also all of them, or several, which is how it begins. */
  many?: boolean;
}

export interface DashboardOptions {
  /** Also its file's name. */
  uid: string;
  title: string;
  description: string;
  variables?: readonly Variable[];
  sections: readonly Section[];
  /** Of what it looks back on at first, as Grafana writes it. */
  from?: string;
}

const variable = ({ name, label, query, many = false }: Variable) => ({
  name,
  label,
  type: 'query',
  datasource: DATASOURCE,
  definition: query,
  query: { qryType: 1, query, refId: 'PrometheusVariableQueryEditor-VariableQuery' },
  // As the time range changes, so that what has gone can still be looked at.
  refresh: 2,
  regex: '',
  sort: 1,
  multi: many,
  includeAll: many,
  ...(many && { allValue: '.*' }),
  current: many ? { selected: true, text: ['All'], value: ['$__all'] } : {},
  options: [],
  hide: 0,
  skipUrlSync: false,
});

const SOURCE_VARIABLE = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
  current: {},
  includeAll: false,
  multi: false,
  options: [],
  refresh: 1,
  regex: '',
  hide: 0,
  skipUrlSync: false,
};

/** Panels from left to right, from `top` on; a line is as high as its highest. Ids count on from `firstId`. */
function placed(panels: readonly Panel[], top: number, firstId: number) {
  let [x, y, lineHeight] = [0, top, 0];
  const all = panels.map((panel, index) => {
    const { w, h } = panel.gridPos;
    if (x + w > COLUMNS) [x, y, lineHeight] = [0, y + lineHeight, 0];
    const at = { ...panel, id: firstId + index, gridPos: { h, w, x, y } };
    x += w;
    lineHeight = Math.max(lineHeight, h);
    return at;
  });
  return { all, bottom: y + lineHeight };
}

function laidOut(sections: readonly Section[]) {
  let [y, id] = [0, 1];
  return sections.flatMap(({ title, collapsed = false, panels }): object[] => {
    const row = { type: 'row', id, title, collapsed, gridPos: { h: 1, w: COLUMNS, x: 0, y } };
    const { all, bottom } = placed(panels, y + 1, id + 1);
    id += 1 + panels.length;
    y = collapsed ? y + 1 : bottom;
    return collapsed ? [{ ...row, panels: all }] : [{ ...row, panels: [] }, ...all];
  });
}

/** All dashboards of ours, from each of them: what was chosen and the time go along. */
const LINKS = [
  {
    type: 'dashboards',
    title: 'Vedette',
    tags: ['vedette'],
    asDropdown: false,
    includeVars: true,
    keepTime: true,
    targetBlank: false,
    icon: 'external link',
    tooltip: '',
    url: '',
  },
];

/** A dashboard as Grafana 11 and 12 read it. */
export const dashboard = ({ uid, title, description, variables = [], sections, from = 'now-1h' }: DashboardOptions) => ({
  uid,
  title,
  description,
  tags: ['vedette'],
  schemaVersion: 39,
  editable: true,
  fiscalYearStartMonth: 0,
  graphTooltip: 1,
  liveNow: false,
  refresh: '30s',
  time: { from, to: 'now' },
  timepicker: {},
  timezone: 'browser',
  weekStart: '',
  annotations: {
    list: [
      {
        builtIn: 1,
        datasource: { type: 'grafana', uid: '-- Grafana --' },
        enable: true,
        hide: true,
        iconColor: 'rgba(0, 211, 255, 1)',
        name: 'Annotations & Alerts',
        type: 'dashboard',
      },
      {
        datasource: DATASOURCE,
        enable: true,
        expr: 'max by (alertname) (ALERTS{alertstate="firing", alertname!=""})',
        hide: false,
        iconColor: 'red',
        name: 'Alerts',
        step: '30s',
        tagKeys: 'alertname',
        titleFormat: '{{alertname}}',
      },
    ],
  },
  links: LINKS,
  templating: { list: [SOURCE_VARIABLE, ...variables.map(variable)] },
  panels: laidOut(sections),
});

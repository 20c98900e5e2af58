/** What panels of our dashboards are made of: Grafana's dashboard schema, as far as we use it. */

/** Grafana's names of units (`@grafana/data`, valueFormats). */
export type Unit =
  | 's'
  | 'bytes'
  | 'percentunit'
  | 'short'
  | 'none'
  | 'reqps'
  | 'ops'
  | 'cps'
  | 'dateTimeFromNow'
  | 'bool_yes_no'
  | 'string';

/** From `at` on (from the lowest value on where it is absent) a value has this colour. */
export interface Step {
  color: 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'text';
  at?: number;
}

export interface Query {
  /** PromQL. `$__rate_interval` and `$__range` are Grafana's, others the dashboard's variables. */
  expr: string;
  /** What a series is called: text around `{{label}}`. */
  legend?: string;
}

interface Common {
  title: string;
  /** What it shows, and what to think of where it is not as it should be. */
  description: string;
  /** Of 24 columns. */
  width: number;
  height?: number;
  unit: Unit;
  /** Green without any. */
  steps?: readonly Step[];
  decimals?: number;
  min?: number;
  max?: number;
}

/** A number of the dashboard's variables, or a word for it: `0` is `none`, say. */
export type Mappings = Readonly<Record<string, { text: string; color: Step['color'] }>>;

export interface Link {
  title: string;
  /** Grafana's `${__data.fields.<column>}` stands for a value of the row. */
  url: string;
}

export interface Column {
  title: string;
  unit?: Unit;
  steps?: readonly Step[];
  mappings?: Mappings;
  link?: Link;
  width?: number;
}

export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

const REF_IDS = 'ABCDEFGHIJKLMNOP';

const targets = (queries: readonly Query[], kind: 'range' | 'instant' | 'table' | 'heatmap') =>
  queries.map(({ expr, legend }, index) => ({
    datasource: DATASOURCE,
    editorMode: 'code',
    expr,
    format: kind === 'table' || kind === 'heatmap' ? kind : 'time_series',
    instant: kind === 'instant' || kind === 'table',
    legendFormat: legend ?? '__auto',
    range: kind === 'range' || kind === 'heatmap',
    refId: REF_IDS[index],
  }));

const thresholds = (steps: readonly Step[] = [{ color: 'green' }]) => ({
  mode: 'absolute',
  steps: steps.map(({ color, at }) => ({ color, value: at ?? null })),
});

const mapped = (mappings: Mappings = {}) =>
  Object.keys(mappings).length === 0
    ? []
    : [
        {
          type: 'value',
          options: Object.fromEntries(Object.entries(mappings).map(([value, result], index) => [value, { ...result, index }])),
        },
      ];

const linked = (link: Link) => [{ ...link, targetBlank: link.url.startsWith('http') }];

function panel(type: string, height: number, { title, description, width, height: own }: Common, rest: object) {
  return { type, title, description, datasource: DATASOURCE, gridPos: { h: own ?? height, w: width, x: 0, y: 0 }, ...rest };
}

export type Panel = ReturnType<typeof panel>;

const defaults = ({ unit, steps, decimals, min, max }: Common, more: object) => ({
  defaults: {
    unit,
    ...(decimals !== undefined && { decimals }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    mappings: [],
    thresholds: thresholds(steps),
    ...more,
  },
  overrides: [],
});

/** One number, coloured by its steps. */
export const stat = (
  options: Common & { query: Query; /** With its course behind it. */ graph?: boolean; mappings?: Mappings; none?: string; link?: Link },
) =>
  panel('stat', 4, options, {
    targets: targets([options.query], options.graph === true ? 'range' : 'instant'),
    fieldConfig: defaults(options, {
      color: { mode: 'thresholds' },
      mappings: mapped(options.mappings),
      ...(options.none !== undefined && { noValue: options.none }),
      ...(options.link && { links: linked(options.link) }),
    }),
    options: {
      colorMode: options.steps === undefined ? 'value' : 'background',
      graphMode: options.graph === true ? 'area' : 'none',
      justifyMode: 'auto',
      orientation: 'auto',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      textMode: 'auto',
      wideLayout: true,
    },
  });

/** Lines over time, or areas on each other; steps are drawn as lines where they are given. */
export const series = (
  options: Common & { queries: readonly Query[]; stacked?: boolean; /** May be below 0. */ signed?: boolean; link?: Link },
) =>
  panel('timeseries', 8, options, {
    targets: targets(options.queries, 'range'),
    fieldConfig: defaults(options.signed === true ? options : { min: 0, ...options }, {
      color: { mode: 'palette-classic' },
      ...(options.link && { links: linked(options.link) }),
      custom: {
        drawStyle: 'line',
        lineWidth: 1,
        fillOpacity: options.stacked === true ? 30 : 5,
        showPoints: 'auto',
        spanNulls: false,
        axisPlacement: 'auto',
        stacking: { mode: options.stacked === true ? 'normal' : 'none', group: 'A' },
        thresholdsStyle: { mode: options.steps === undefined ? 'off' : 'line' },
      },
    }),
    options: {
      legend: { calcs: ['lastNotNull', 'max'], displayMode: 'table', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  });

/** Which state each of many was in, over time. */
export const timeline = (options: Common & { queries: readonly Query[]; link?: Link }) =>
  panel('state-timeline', 8, options, {
    targets: targets(options.queries, 'range'),
    fieldConfig: defaults(options, {
      color: { mode: 'thresholds' },
      ...(options.link && { links: linked(options.link) }),
      custom: { fillOpacity: 80, lineWidth: 0 },
    }),
    options: {
      alignValue: 'center',
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      mergeValues: true,
      rowHeight: 0.85,
      showValue: 'auto',
      tooltip: { mode: 'single', sort: 'none' },
    },
  });

/** How a histogram's values were spread, over time. */
export const heatmap = (options: Common & { query: Query }) =>
  panel('heatmap', 8, options, {
    targets: targets([{ ...options.query, legend: '{{le}}' }], 'heatmap'),
    fieldConfig: { defaults: { custom: { hideFrom: { legend: false, tooltip: false, viz: false } } }, overrides: [] },
    options: {
      calculate: false,
      cellGap: 1,
      cellValues: { unit: 'reqps' },
      color: { exponent: 0.5, fill: 'dark-orange', mode: 'scheme', reverse: false, scale: 'exponential', scheme: 'Oranges', steps: 64 },
      exemplars: { color: 'rgba(255,0,255,0.7)' },
      filterValues: { le: 1e-9 },
      legend: { show: true },
      rowsFrame: { layout: 'auto' },
      tooltip: { mode: 'single', showColorScale: false, yHistogram: false },
      yAxis: { axisPlacement: 'left', reverse: false, unit: options.unit },
    },
  });

const columnProperties = ({ unit, steps, mappings, link, width }: Column) => [
  ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
  ...(mappings === undefined ? [] : [{ id: 'mappings', value: mapped(mappings) }]),
  ...(steps === undefined
    ? []
    : [
        { id: 'color', value: { mode: 'thresholds' } },
        { id: 'thresholds', value: thresholds(steps) },
        { id: 'custom.cellOptions', value: { type: 'color-background', mode: 'basic' } },
      ]),
  ...(link === undefined ? [] : [{ id: 'links', value: linked(link) }]),
  ...(width === undefined ? [] : [{ id: 'custom.width', value: width }]),
];

/** What queries as a table give: a column for each label, and `Value #A` and so on, which is `Value` where there is one query. */
const columnsOf = (columns: Readonly<Record<string, Column>>) => ({
  transformations: [
    { id: 'merge', options: {} },
    { id: 'filterFieldsByName', options: { include: { names: Object.keys(columns) } } },
    {
      id: 'organize',
      options: {
        excludeByName: {},
        indexByName: Object.fromEntries(Object.keys(columns).map((name, index) => [name, index])),
        renameByName: Object.fromEntries(Object.entries(columns).map(([name, { title }]) => [name, title])),
      },
    },
  ],
  overrides: Object.values(columns).flatMap((column) => {
    const properties = columnProperties(column);
    return properties.length === 0 ? [] : [{ matcher: { id: 'byName', options: column.title }, properties }];
  }),
});

/** A row for each set of labels, the queries' values beside each other. Columns are in this order, and no others are shown. */
export function table(
  options: Common & { queries: readonly Query[]; columns: Readonly<Record<string, Column>>; sortBy?: string; none?: string },
) {
  const { transformations, overrides } = columnsOf(options.columns);
  const { defaults: all } = defaults(options, {
    color: { mode: 'thresholds' },
    custom: { align: 'auto', cellOptions: { type: 'auto' }, filterable: true, inspect: false },
    ...(options.none !== undefined && { noValue: options.none }),
  });
  return panel('table', 8, options, {
    targets: targets(options.queries, 'table'),
    fieldConfig: { defaults: all, overrides },
    options: {
      cellHeight: 'sm',
      footer: { countRows: false, fields: '', reducer: ['sum'], show: false },
      showHeader: true,
      sortBy: options.sortBy === undefined ? [] : [{ displayName: options.sortBy, desc: true }],
    },
    transformations,
  });
}

/** Which labels say where a marker is. Coordinates are text then, and must be made numbers. */
const WHERE = {
  geohash: { labels: ['geohash'], location: { mode: 'geohash', geohash: 'geohash' }, conversions: [] },
  coordinates: {
    labels: ['latitude', 'longitude'],
    location: { mode: 'coords', latitude: 'latitude', longitude: 'longitude' },
    conversions: ['latitude', 'longitude'].map((targetField) => ({ targetField, destinationType: 'number' })),
  },
} as const;

/** A marker for each row, with the text of the column `Location`, coloured by the column `colorBy`; the others stand in its tooltip. */
export function map(
  options: Common & { queries: readonly Query[]; columns: Readonly<Record<string, Column>>; colorBy: string; where: keyof typeof WHERE },
) {
  const { labels, location, conversions } = WHERE[options.where];
  const { transformations, overrides } = columnsOf({
    ...options.columns,
    ...Object.fromEntries(labels.map((title) => [title, { title }])),
  });
  const style = {
    color: { field: options.colorBy, fixed: 'dark-green' },
    opacity: 0.8,
    rotation: { fixed: 0, max: 360, min: -360, mode: 'mod' },
    size: { fixed: 8, max: 15, min: 4 },
    symbol: { fixed: 'img/icons/marker/circle.svg', mode: 'fixed' },
    symbolAlign: { horizontal: 'center', vertical: 'center' },
    text: { field: 'Location', fixed: '', mode: 'field' },
    textConfig: { fontSize: 11, offsetX: 0, offsetY: 16, textAlign: 'center', textBaseline: 'middle' },
  };
  const { defaults: all } = defaults(options, {
    color: { mode: 'thresholds' },
    custom: { hideFrom: { legend: false, tooltip: false, viz: false } },
  });
  return panel('geomap', 12, options, {
    targets: targets(options.queries, 'table'),
    fieldConfig: { defaults: all, overrides },
    options: {
      basemap: { type: 'default', name: 'Base map', config: {} },
      controls: { mouseWheelZoom: false, showAttribution: true, showDebug: false, showMeasure: false, showScale: false, showZoom: true },
      layers: [
        {
          type: 'markers',
          name: options.title,
          config: { showLegend: true, style },
          location,
          tooltip: true,
        },
      ],
      tooltip: { mode: 'details' },
      view: { id: 'zero', lat: 20, lon: 0, zoom: 1.6, allLayers: true },
    },
    transformations: [
      ...transformations,
      ...(conversions.length === 0 ? [] : [{ id: 'convertFieldType', options: { conversions, fields: {} } }]),
    ],
  });
}

/** Something to read. It asks nobody. */
export const text = ({ markdown, width, height }: { markdown: string; width: number; height: number }) =>
  panel(
    'text',
    height,
    { title: '', description: '', width, unit: 'none' },
    {
      options: { mode: 'markdown', content: markdown, code: { language: 'plaintext', showLineNumbers: false, showMiniMap: false } },
    },
  );

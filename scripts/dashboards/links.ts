import type { Link } from './panels.ts';

const ALL_TIME = '${__url_time_range}';

/** From something that has a column `Location` to that location. */
export const toLocation = (value = '${__data.fields.Location}'): Link => ({
  title: 'Open this location',
  url: `/d/vedette-location?${ALL_TIME}&\${datasource:queryparam}&var-location=${value}`,
});

/** From an alert to the page with all of them, by name. */
export const toRunbook: Link = { title: 'What to do', url: '/d/vedette-runbooks' };

export const toDashboard = (uid: string, title: string): Link => ({
  title: `Open ${title}`,
  url: `/d/${uid}?${ALL_TIME}&\${datasource:queryparam}`,
});

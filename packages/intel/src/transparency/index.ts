export { LOG_STATES, type LogList, operatorAt, readLogList, type TransparencyLog } from './log-list.ts';
export { createTransparency, type Transparency, type TransparencySetters } from './transparency.ts';

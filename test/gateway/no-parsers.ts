/** Nobody reads any message. */
export const NO_PARSERS = {
  read: () => Promise.reject(new Error('not asked for')),
  usage: { running: 0, idle: 0 },
  sandbox: 'unknown' as const,
};

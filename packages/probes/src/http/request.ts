/** What every request of ours carries, besides the host. */
export const requestFields = {
  'user-agent': 'Mozilla/5.0 (compatible; Vedette/0.1)',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'en',
  'accept-encoding': 'gzip, deflate, br',
} as const;

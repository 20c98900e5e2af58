/** What a process of ours inherits from a test: where programs are, and that it is loaded as in production (scripts/run.sh), which halves its start. */
export const OWN_ENV: NodeJS.ProcessEnv = { PATH: process.env['PATH'], NODE_OPTIONS: process.env['NODE_OPTIONS'] };

import { startRenderer } from './render-world.ts';

/** A renderer in a process of its own, so that a test can kill it: it never ends a job. */
const [url = ''] = process.argv.slice(2);
await startRenderer({ url, run: () => new Promise(() => {}), name: `p${process.pid}` });

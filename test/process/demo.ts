// A process made by asProcess, which does what DEMO says: node demo.ts
import { asProcess, type Run } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';

const never = new Promise<Error>(() => {});

const run: Run = async ({ DEMO }, args) => {
  if (DEMO === 'bad settings') throw new StartError('DEMO must be better');
  if (DEMO === 'defect') throw new TypeError('a bug', { cause: new Error('deeper') });
  const alive = setInterval(() => {}, 60_000);
  if (DEMO === 'slow start') {
    process.stdout.write('starting\n');
    await never;
  }
  process.stdout.write(`started ${args.join(' ')}\n`);
  return {
    addresses: {},
    lost: DEMO?.startsWith('lost') ? Promise.resolve(new Error('the bus is gone')) : never,
    async stop() {
      process.stdout.write('stopping\n');
      if (DEMO?.endsWith('cannot stop')) throw new Error('stuck');
      clearInterval(alive);
    },
  };
};

await asProcess({
  name: 'demo',
  log: { name: 'demo-log', port: process.env['DEMO_PORT'] },
  command: 'npm run demo',
  takes: { '--one': 'the first', '--another': 'the second' },
  load: async () => run,
});

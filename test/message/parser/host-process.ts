/** A host of parsers that run the reader of tests, in the folder that it is told. */
import { fileURLToPath } from 'node:url';
import { asProcess } from '@vedette/process/run';
import { hostParsers } from '../../../packages/message/src/parser/host.ts';

const READER = fileURLToPath(new URL('./reader.ts', import.meta.url));

await asProcess({
  name: 'host',
  log: {},
  command: 'the tests',
  load: async () => (env) => hostParsers(env['VEDETTE_PARSER_FOLDER'] ?? '', READER),
});

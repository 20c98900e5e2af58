// Drops from package-lock.json the optional platform packages that the registry did not have, so that `npm ci` takes the
// file everywhere. Run by `npm run lock` after every `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Looks a name up from a package's folder outwards, as node does. */
const resolves = (from, name) => {
  for (let path = from; ;) {
    if (lock.packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true;
    if (path === '') return false;
    const parent = path.lastIndexOf('/node_modules/');
    path = parent < 0 ? '' : path.slice(0, parent);
  }
};

for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || !entry.optionalDependencies) continue;
  for (const name of Object.keys(entry.optionalDependencies)) if (!resolves(path, name)) delete entry.optionalDependencies[name];
  if (Object.keys(entry.optionalDependencies).length === 0) delete entry.optionalDependencies;
}
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);

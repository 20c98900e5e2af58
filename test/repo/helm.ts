import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/** What the chart uses of Go's templates: values by their path, `if` with `else` and `end`, and these functions in pipes. Throws on anything else. */
export function renderTemplate(template: string, data: object): string {
  const parts = template.split(/(\{\{-? .*? -?\}\})/s).map((text, index) => ({ text, isAction: index % 2 === 1 }));
  // A dash takes the white space off on its side.
  for (const [index, { text, isAction }] of parts.entries()) {
    if (!isAction) continue;
    if (text.startsWith('{{-')) parts[index - 1]!.text = parts[index - 1]!.text.trimEnd();
    if (text.endsWith('-}}')) parts[index + 1]!.text = parts[index + 1]!.text.trimStart();
  }
  let out = '';
  /** Whether the branch that is read is printed, outermost first. */
  const printed: boolean[] = [];
  for (const { text, isAction } of parts) {
    const isOn = !printed.includes(false);
    if (!isAction) out += isOn ? text : '';
    else {
      const action = /^\{\{-? (.*?) -?\}\}$/s.exec(text)![1]!;
      if (action.startsWith('if ')) printed.push(isTrue(valueOf(action.slice(3), data)));
      else if (action === 'else') printed.push(!printed.pop()!);
      else if (action === 'end') printed.pop();
      else if (isOn) out += String(valueOf(action, data));
    }
  }
  if (printed.length > 0) throw new Error('an if without its end');
  return out;
}

/** As Go has it: empty texts, lists and maps are false. */
const isTrue = (value: unknown): boolean => (typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value));

const FUNCTIONS: Record<string, (value: any, argument?: string) => unknown> = {
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (value, width) => `\n${String(value).replaceAll(/^/gm, ' '.repeat(Number(width)))}`,
  sha256sum: (value) => createHash('sha256').update(value).digest('hex'),
};

function valueOf(pipe: string, data: object): unknown {
  const [first = '', ...rest] = pipe.split(' | ');
  const [, name, path = ''] = /^(?:(\w+) )?(\.[\w.]+)$/.exec(first) ?? [];
  if (path === '') throw new Error(`not known here: ${first}`);
  const start = pathOf(path, data);
  return [...(name === undefined ? [] : [name]), ...rest].reduce<unknown>((value, step) => {
    const [word = '', argument = ''] = step.split(' ');
    if (word === 'default') return isTrue(value) ? value : pathOf(argument, data);
    const apply = FUNCTIONS[word];
    if (!apply) throw new Error(`not known here: ${step}`);
    return apply(value, argument);
  }, start);
}

function pathOf(path: string, data: object): unknown {
  return path
    .slice(1)
    .split('.')
    .reduce<any>((value, key) => {
      if (!(key in value)) throw new Error(`there is no ${path}`);
      return value[key];
    }, data);
}

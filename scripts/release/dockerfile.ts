/** One instruction of a stage: `RUN`, `COPY` … with what follows it on its line, continued lines joined. */
export interface Instruction {
  name: string;
  text: string;
}

export interface Stage {
  name: string;
  /** Name of another stage, `scratch`, or an image of somebody's. */
  from: string;
  instructions: Instruction[];
}

/** The stages of a Dockerfile in their order, with its global arguments put in. Knows what ours uses; throws on anything else. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const globals: Record<string, string> = {};
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, from = '', as = ''] = /^(\S+) AS (\S+)$/.exec(substitute(rest, globals)) ?? [];
      if (as === '') throw new Error(`a stage without a name: ${line}`);
      stages.push({ name: as, from, instructions: [] });
    } else if (stages.length > 0) stages.at(-1)!.instructions.push({ name, text: rest });
    else if (name === 'ARG') Object.assign(globals, pairOf(rest));
    else throw new Error(`before the first stage: ${line}`);
  }
  return stages;
}

/** `NAME=value` of ARG, or `NAME` alone, which has its value from who builds. */
export function pairOf(text: string): Record<string, string> {
  const [, name = '', value = ''] = /^(\w+)(?:=(\S+))?$/.exec(text) ?? [];
  if (name === '') throw new Error(`not NAME=value: ${text}`);
  return { [name]: value };
}

/** The pairs of LABEL and ENV, quoted or not. */
export const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [name!, quoted ?? plain!]));

/** Puts values in for `${NAME}`. */
export const substitute = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

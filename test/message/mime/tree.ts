import type { Part } from '@vedette/message/mime';

export type Tree = string | { [type: string]: Tree[] };

/** A message as a tree: of each part its type, and the name of its file, or its text. */
export function tree(of: Part): Tree {
  if (of.message) return { [of.type]: [tree(of.message)] };
  if (of.parts.length > 0) return { [of.type]: of.parts.map(tree) };
  const said = of.filename || of.text();
  return said === '' ? of.type : `${of.type} ${said}`;
}

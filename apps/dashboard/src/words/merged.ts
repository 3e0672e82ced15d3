import type { Dictionary } from './dictionary.ts';
import type { Translated } from './translated.ts';

type Texts = Readonly<Record<string, unknown>>;
/** Texts by the id of their dictionary, and by their name. */
export type TextsById = Readonly<Record<string, Texts>>;

/** Returns the texts of a translation. If some are missing, uses the English ones. */
export function translatedBy(texts: TextsById): Translated {
  // The results are cached, because a component that gets a new object would render again.
  const known = new WeakMap<object, unknown>();
  return <Words>(dictionary: Dictionary<Words>): Words => {
    const words = known.get(dictionary) ?? mergedOf(dictionary as unknown as Dictionary<Texts>, texts);
    known.set(dictionary, words);
    return words as Words;
  };
}

function mergedOf({ id, names, en }: Dictionary<Texts>, texts: TextsById): Texts {
  const own = texts[id] ?? {};
  const common = texts['words/common'] ?? {};
  const isOwn = new Set<string>(names);
  return Object.fromEntries(
    Object.entries(en).map(([name, english]) => [name, (isOwn.has(name) ? own : common)[name] ?? english]),
  );
}

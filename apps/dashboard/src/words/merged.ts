import type { Dictionary } from './dictionary.ts';
import type { Translated } from './translated.ts';
import type { Translation } from './translation.ts';

type Texts = Readonly<Record<string, unknown>>;

/** The texts of a translation, and English ones where it lacks some. */
export function translatedBy(translation: Translation): Translated {
  const texts = translation as unknown as Readonly<Record<string, Texts>>;
  // A component gets the same object each time, or it would render again.
  const known = new WeakMap<object, unknown>();
  return <Words>(dictionary: Dictionary<Words>): Words => {
    const words = known.get(dictionary) ?? mergedOf(dictionary as unknown as Dictionary<Texts>, texts);
    known.set(dictionary, words);
    return words as Words;
  };
}

function mergedOf({ id, names, en }: Dictionary<Texts>, texts: Readonly<Record<string, Texts>>): Texts {
  const own = texts[id] ?? {};
  const common = texts['words/common'] ?? {};
  const isOwn = new Set<string>(names);
  return Object.fromEntries(
    Object.entries(en).map(([name, english]) => [name, (isOwn.has(name) ? own : common)[name] ?? english]),
  );
}

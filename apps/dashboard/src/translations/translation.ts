import type { common } from '../words/common.ts';
import type { Dictionary } from '../words/dictionary.ts';
import type { Modules } from './modules.ts';

type AnyDictionary = { readonly id: string; readonly names: readonly PropertyKey[]; readonly en: object };
type DictionariesIn<Module> = Module extends unknown ? Extract<Module[keyof Module], AnyDictionary> : never;
type Texts<One> = One extends Dictionary<infer Words, string, infer Name> ? Pick<Words, Name> : never;

/** All texts of the dashboard, as a file in `texts/` has them: by the id of their dictionary, and by their name. */
export type Translation = {
  readonly [One in DictionariesIn<Modules> as One['id']]: Texts<One>;
} & { readonly 'words/common': { readonly [Name in keyof typeof common]: string } };

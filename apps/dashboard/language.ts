import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  filesWithWords,
  findDictionaries,
  languageOfFile,
  moduleOfModules,
  moduleOfTranslation,
  type TextsById,
  translations,
} from './language-file.ts';

/*
 * Writes the file of a language with the English texts (`npm run language -w @bottega/dashboard -- fr Français`), and
 * adds new texts to the files that are there. Without a language, only the latter.
 */

const [tag, name = tag] = process.argv.slice(2);
const src = join(import.meta.dirname, 'src');
const list = join(src, 'words/languages.ts');
const written: string[] = [];

function write(path: string, text: string): void {
  writeFileSync(path, text);
  written.push(path);
}

const nameOf = (language: string): string =>
  new RegExp(`^const known = .*['" ]${language}['"]?: ['"]([^'"]*)`, 'm').exec(readFileSync(list, 'utf8'))?.[1] ??
  language;

if (tag !== undefined) {
  const isTag = Intl.getCanonicalLocales(tag)[0] === tag;
  if (!isTag || tag === 'en' || tag === 'de') throw new Error(`${tag} cannot be added: use a tag such as fr or pt-BR`);
  const before = readFileSync(list, 'utf8');
  const entry = `, ${JSON.stringify(tag)}: ${JSON.stringify(name)}`;
  if (nameOf(tag) === tag) write(list, before.replace(/^(const known = \{.*?),?( \} as const;)$/m, `$1${entry}$2`));
}

const dictionaries = await findDictionaries();
const there = globSync('*.ts', { cwd: translations }).map(languageOfFile);
for (const language of new Set(tag === undefined ? there : [...there, tag])) {
  const path = join(translations, `${language}.ts`);
  const known: TextsById = existsSync(path) ? (await import(path)).default : {};
  for (const { id, texts } of dictionaries) {
    const added = Object.keys(texts).filter((text) => known[id]?.[text] === undefined);
    if (there.includes(language)) for (const text of added) process.stdout.write(`${language}: added ${id} ${text}\n`);
  }
  write(path, moduleOfTranslation(nameOf(language), dictionaries, known));
}
write(join(src, 'translations/modules.ts'), moduleOfModules(filesWithWords()));
// Unused types and the like are for the translator to see in `npm run check`.
spawnSync('biome', ['format', '--write', ...written], { stdio: ['ignore', 'ignore', 'inherit'] });

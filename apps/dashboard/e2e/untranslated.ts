import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { filesWithWords } from '../language-file.ts';
import { pseudoText } from '../src/translations/pseudo-text.ts';
import { common } from '../src/words/common.ts';

type Text = string | ((...values: string[]) => string);
type Dictionary = { names: string[]; en: Record<string, Text>; de: Record<string, Text> };

const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && 'names' in value && 'de' in value;

/** The English and the German texts of all dictionaries: whole ones, and the parts of sentences around their values. */
async function writtenTexts(): Promise<{ whole: Set<string>; sentences: string[][] }> {
  const modules = await Promise.all(filesWithWords().map((file) => import(join(import.meta.dirname, '../src', file))));
  const dictionaries = modules.flatMap((module) => Object.values(module).filter(isDictionary));
  const texts = dictionaries.flatMap(({ names, en, de }) => names.flatMap((name) => [en[name], de[name]]));
  const all = [...Object.values(common).flat(), ...texts];
  const words = all.filter((text) => typeof text === 'string');
  const sentences = all.filter((text) => typeof text === 'function').map(partsOf);
  return {
    whole: new Set(words.filter((text) => pseudoText(text) !== text && text.length > 2)),
    // Short parts, such as `of`, are in anybody's text.
    sentences: sentences.filter((parts) => parts.join('').replaceAll(/[^a-z]/gi, '').length >= 8),
  };
}

const value = '\u0001';

/** What a sentence says for sure. Some cannot be asked without a number. */
function partsOf(sentence: (...values: string[]) => string): string[] {
  try {
    return sentence(...Array.from({ length: 8 }, () => value))
      .split(value)
      .filter((part) => /[a-z]/i.test(part));
  } catch {
    return [];
  }
}

const written = await writtenTexts();

/** The texts on the page that are in English or German although the language is another. */
export async function untranslatedOn(page: Page): Promise<string[]> {
  const texts: string[] = await page.evaluate(textsOnPage);
  return [...new Set(texts)].filter(
    (text) => written.whole.has(text) || written.sentences.some((parts) => has(parts, text)),
  );
}

function has(parts: readonly string[], text: string): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

/** Runs in the page: what is read or spoken. */
function textsOnPage(): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: this project has no types of the DOM.
  const { document, NodeFilter } = globalThis as any;
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    // What people wrote, names in the API, and what only the service has words for.
    const isTheirs = parentElement.closest(
      'script, style, template, code, pre, .cm-content, .xterm, .markdown, [lang=en], [translate=no]',
    );
    if (!isTheirs && textContent.trim() !== '') texts.push(textContent.trim());
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name).trim());
  }
  return texts;
}

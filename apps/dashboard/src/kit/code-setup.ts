import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { codeLook } from './code-look.ts';

/** Tab indents; Escape then Tab leaves the editor, as CodeMirror teaches everywhere. */
export const codeSetup: Extension = [
  lineNumbers(),
  foldGutter(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
  keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap, ...completionKeymap, indentWithTab]),
  codeLook,
];

/** Of one person; where several write, each takes back their own. */
export const ownHistory: Extension = [history(), keymap.of(historyKeymap)];

/** Each language is a file of its own, fetched when the first file of its kind is opened. */
export async function loadLanguage(path: string): Promise<Extension | null> {
  const description = LanguageDescription.matchFilename(languages, path.slice(path.lastIndexOf('/') + 1));
  return description ? description.load().catch(() => null) : null;
}

import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { codeLook } from './code-look.ts';

/** Tab indents. Escape followed by Tab leaves the editor, as in every CodeMirror. */
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

/** The undo history of one person. In a session, each user undoes only their own changes. */
export const ownHistory: Extension = [history(), keymap.of(historyKeymap)];

/** Each language is a separate file, loaded when the first file of its kind is opened. */
export async function loadLanguage(path: string): Promise<Extension | null> {
  const description = LanguageDescription.matchFilename(languages, path.slice(path.lastIndexOf('/') + 1));
  return description ? description.load().catch(() => null) : null;
}

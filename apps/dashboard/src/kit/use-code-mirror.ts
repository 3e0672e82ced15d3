import {
  Compartment,
  type EditorSelection,
  EditorState,
  type Extension,
  type StateEffect,
  type Text,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { useWords } from '../words/words.tsx';
import { codeWords } from './code.words.ts';
import { CodeHelpContext, CodeNotesContext } from './code-help.ts';
import { loadLanguage } from './code-language.ts';
import { codeSetup } from './code-setup.ts';

/** The cursor, the visible part and the focus of an editor, for another editor that replaces it. */
export type Left = { selection: EditorSelection; scroll: StateEffect<unknown> | null; hasFocus: boolean };

type Options = {
  path: string;
  label: string;
  doc: () => string | Text;
  extensions: () => Extension;
  created?: (view: EditorView) => void;
  /** The state in which the replaced editor was left. */
  left?: RefObject<Left | null> | undefined;
  /** When this value changes, a new editor is created, as for a new path or label. */
  recreateOn?: unknown;
};

/**
 * The life cycle of one CodeMirror. It is created when its host element exists, gets the language of its file, and is
 * destroyed at the end.
 */
export function useCodeMirror({ path, label, recreateOn, ...options }: Options): {
  host: RefObject<HTMLDivElement | null>;
  view: RefObject<EditorView | null>;
} {
  const phrases = useWords(codeWords);
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [help, notes] = [useContext(CodeHelpContext), useContext(CodeNotesContext)];
  const [helping, noting] = [useRef(new Compartment()), useRef(new Compartment())];
  const latest = useRef(options);
  latest.current = options;
  // A layout effect, so that the editor is created before the next paint, and before an editor that it replaces leaves
  // the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller decides when to recreate the editor
  useLayoutEffect(() => {
    if (!host.current) return;
    const language = new Compartment();
    const doc = latest.current.doc();
    const { left } = latest.current;
    const before = left?.current;
    const editor = new EditorView({
      parent: host.current,
      ...(before?.scroll && { scrollTo: before.scroll }),
      state: EditorState.create({
        doc,
        ...(before && before.selection.main.to <= doc.length && { selection: before.selection }),
        extensions: [
          // These come before the common keys, so that a screen's own keys win.
          latest.current.extensions(),
          noting.current.of([]),
          codeSetup,
          EditorState.phrases.of(phrases),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          language.of([]),
          helping.current.of([]),
        ],
      }),
    });
    view.current = editor;
    latest.current.created?.(editor);
    if (before?.hasFocus) editor.focus();
    loadLanguage(path).then((support) => {
      if (support && view.current === editor) editor.dispatch({ effects: language.reconfigure(support) });
    });
    return () => {
      view.current = null;
      const { hasFocus, inView } = editor;
      // Only for editors in view: measuring the position of a text makes the browser lay out the whole page, and many
      // editors may be removed together.
      const scroll = inView ? editor.scrollSnapshot() : null;
      if (left) left.current = { selection: editor.state.selection, scroll, hasFocus };
      editor.destroy();
    };
  }, [path, label, phrases, recreateOn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor begins without help
  useEffect(() => {
    view.current?.dispatch({ effects: helping.current.reconfigure(help?.(path) ?? []) });
  }, [help, path, label, phrases, recreateOn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor begins without notes
  useEffect(() => {
    view.current?.dispatch({ effects: noting.current.reconfigure(notes?.(path) ?? []) });
  }, [notes, path, label, phrases, recreateOn]);
  return { host, view };
}

export const codeHostStyle = { flex: 1, minHeight: 0, overflow: 'hidden' } as const;

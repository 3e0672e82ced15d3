import type { Extension } from '@codemirror/state';
import { createContext } from 'react';

/** What a language server adds to the editor of a file. Null without one. */
export type CodeHelp = (path: string) => Extension | null;

export const CodeHelpContext = createContext<CodeHelp | null>(null);

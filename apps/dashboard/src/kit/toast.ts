import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client.ts';
import { languageOf } from '../words/languages.ts';
import { messageOf } from './refusal.tsx';
import { wordsOfCode } from './refusal-words.ts';

/** Shows a refusal as a toast, for a change that is made where there is no room for a message. */
export function toastRefusal(error: unknown): void {
  const requestId = error instanceof ApiError ? (error.requestId ?? '') : '';
  // This may run outside components, so the language is read from an attribute of the page.
  const said = error instanceof ApiError ? wordsOfCode(error.code, languageOf(document.documentElement.lang)) : null;
  const message = said ? `${messageOf(error)} ${requestId}` : requestId;
  notifications.show({ color: 'red', title: said ?? messageOf(error), message, autoClose: 8000 });
}

export function toast(message: string): void {
  notifications.show({ message });
}

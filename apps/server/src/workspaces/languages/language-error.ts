/** Why a language's server does not work, in one line for users. */
export class LanguageError extends Error {}

/**
 * The service is the only client that a language server sees. It speaks for all real clients, so they all have the same
 * abilities.
 */

export const rootUri = 'file:///workspace';

const markdown = ['markdown', 'plaintext'];

const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: false, showMessage: {} },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
    symbol: {},
    // Without further abilities, the server sends edits as a list for each file.
    workspaceEdit: {},
  },
  textDocument: {
    synchronization: {},
    completion: {
      contextSupport: true,
      completionItem: {
        snippetSupport: true,
        documentationFormat: markdown,
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
      },
    },
    hover: { contentFormat: markdown },
    signatureHelp: {
      contextSupport: true,
      signatureInformation: {
        documentationFormat: markdown,
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    definition: {},
    typeDefinition: {},
    implementation: {},
    references: {},
    documentHighlight: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    formatting: {},
    rangeFormatting: {},
    rename: { prepareSupport: true },
    foldingRange: {},
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    publishDiagnostics: {},
    diagnostic: { dynamicRegistration: true },
  },
};

export const introduction = {
  processId: null,
  clientInfo: { name: 'bottega' },
  rootUri,
  workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
  capabilities: clientCapabilities,
  initializationOptions: {},
};

/**
 * The requests of clients that are passed on to the server. None of them changes a file: an edit is sent as an answer,
 * and the client applies it.
 */
export const passedMethods = new Set([
  'completionItem/resolve',
  'codeAction/resolve',
  'workspace/symbol',
  ...[
    'codeAction',
    'completion',
    'declaration',
    'definition',
    'diagnostic',
    'documentHighlight',
    'documentSymbol',
    'foldingRange',
    'formatting',
    'hover',
    'implementation',
    'inlayHint',
    'prepareRename',
    'rangeFormatting',
    'references',
    'rename',
    'selectionRange',
    'semanticTokens/full',
    'semanticTokens/range',
    'signatureHelp',
    'typeDefinition',
  ].map((name) => `textDocument/${name}`),
]);

const PATH = '/v1/chat/completions';
/** What a smuggler wants to be read as a request of its own. */
export const HIDDEN = 'GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n';
const BODY = '{"model":"echo","messages":[{"role":"user","content":"Hi"}]}';

const START = [`POST ${PATH} HTTP/1.1`, 'Host: a', 'Authorization: Bearer KEY', 'Content-Type: application/json'];

type Shape = readonly [what: string, bytes: string];

/** A request with these further lines, and what stands behind its head. */
function shape(what: string, lines: readonly string[], body: string, start: readonly string[] = START): Shape {
  return [what, `${[...start, ...lines].join('\r\n')}\r\n\r\n${body}`];
}

const length = (text: string | number) => `Content-Length: ${text}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const FULL = length(BODY.length);

/** Two lengths of one message: which of the two a server believes is what smuggling lives from. */
const LENGTH_AND_CHUNKS: readonly Shape[] = [
  shape('CL.TE', [FULL, CHUNKED], `0\r\n\r\n${HIDDEN}`),
  shape('CL.TE, length of all', [length(CHUNKS.length + HIDDEN.length), CHUNKED], CHUNKS + HIDDEN),
  shape('TE.CL', [CHUNKED, length(4)], `${CHUNKS}${HIDDEN}`),
  shape('TE.CL, a request in a chunk', [CHUNKED, length(4)], `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`),
  shape('CL.0', [length(0), CHUNKED], CHUNKS),
  shape('TE and no CL', [CHUNKED], CHUNKS + HIDDEN),
];

/** Ways to write the coding so that one server knows it and another does not. */
const CODINGS: readonly Shape[] = [
  ...['xchunked', 'chunked, identity', 'identity, chunked', 'identity', 'chunked, chunked', 'chunked;q=1', '"chunked"'],
  ...[
    ' chunked',
    '\tchunked',
    'chunked ',
    'chunked\t',
    '\x0bchunked',
    'chunked\x0b',
    'CHUNKED',
    'chun\0ked',
    'chunke',
    '',
  ],
  ...['gzip, chunked', ', chunked', 'chunked,', '\r\n chunked', 'x\r\nTransfer-Encoding: chunked', 'ch\xffunked'],
].map((coding) => shape(`TE of ${JSON.stringify(coding)}`, [FULL, `Transfer-Encoding:${coding}`], CHUNKS + HIDDEN));

const CODING_NAMES: readonly Shape[] = [
  ...[
    'Transfer-Encoding : chunked',
    ' Transfer-Encoding: chunked',
    'Transfer-Encoding\t: chunked',
    'X: y\rTransfer-Encoding: chunked',
  ],
  ...[
    'X: y\nTransfer-Encoding: chunked',
    'Transfer_Encoding: chunked',
    'Transfer-Encoding\0: chunked',
    'transfer-encoding:chunked',
  ],
  ...[
    'X: y\r\n\tTransfer-Encoding: chunked',
    'Transfer-Encoding\r\n: chunked',
    '\0Transfer-Encoding: chunked',
    'Tra\xadnsfer-Encoding: chunked',
  ],
  ...['Transfer-Encoding: chunked\r', 'Foo: bar\r\n\rTransfer-Encoding: chunked', 'Content-Encoding: chunked'],
].map((line) => shape(`TE as ${JSON.stringify(line)}`, [FULL, line], CHUNKS + HIDDEN));

/** Lengths that one server reads and another reads otherwise, or not. */
const LENGTHS: readonly Shape[] = [
  ...[
    '+60',
    '-60',
    '0x3c',
    '60,60',
    '60, 60',
    ' 60',
    '\t60',
    '60 ',
    '60\t',
    '060',
    '0060',
    '60.0',
    '6e1',
    '"60"',
    '60;',
  ],
  ...[
    '60\x0b',
    '\x0b60',
    '60\0',
    '6 0',
    '6\r\n 0',
    '',
    ' ',
    '١',
    '60\xa0',
    '18446744073709551676',
    '4294967356',
    'NaN',
  ],
].map((text) => shape(`CL of ${JSON.stringify(text)}`, [`Content-Length:${text}`], BODY + HIDDEN));

const LENGTH_LINES: readonly Shape[] = [
  shape('CL twice, the same', [FULL, FULL], BODY + HIDDEN),
  shape('CL twice, not the same', [FULL, length(5)], BODY + HIDDEN),
  shape('CL twice, the first is none', [length(0), FULL], BODY + HIDDEN),
  shape('CL with a space before the colon', [`Content-Length : ${BODY.length}`], BODY + HIDDEN),
  shape('CL behind a space', [` Content-Length: ${BODY.length}`], BODY + HIDDEN),
  shape('CL with an underscore', [`Content_Length: ${BODY.length}`], BODY + HIDDEN),
  shape('CL in a folded line', [`X: y\r\n ${FULL}`], BODY + HIDDEN),
  shape('CL behind a bare CR', [`X: y\r${FULL}`], BODY + HIDDEN),
  shape('CL behind a bare LF', [`X: y\n${FULL}`], BODY + HIDDEN),
  shape('CL that is too short', [length(5)], BODY + HIDDEN),
  shape('no CL', [], BODY + HIDDEN),
];

const CHUNK_SHAPES: readonly Shape[] = [
  ...[
    '3c;a=b',
    '3c;a="\r\n"',
    '3c;\n',
    '3c ',
    ' 3c',
    '+3c',
    '-3c',
    '0x3c',
    '003c',
    '3C',
    '3c\n',
    '3c\r',
    'fffffffffffffff3c',
    '',
    'g',
    '3c\0',
  ],
].map((size) => shape(`a chunk of ${JSON.stringify(size)}`, [CHUNKED], `${size}\r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`));

const CHUNK_ENDS: readonly Shape[] = [
  shape('a chunk longer than its size', [CHUNKED], `5\r\n${BODY}\r\n0\r\n\r\n${HIDDEN}`),
  shape('a chunk with another end', [CHUNKED], `3c\r\n${BODY}\n0\r\n\r\n${HIDDEN}`),
  shape('a last chunk with another end', [CHUNKED], `3c\r\n${BODY}\r\n0\n\n${HIDDEN}`),
  shape('trailers', [CHUNKED], `3c\r\n${BODY}\r\n0\r\nContent-Length: 99\r\nHost: b\r\n\r\n${HIDDEN}`),
  shape('a trailer that is a request', [CHUNKED], `3c\r\n${BODY}\r\n0\r\n${HIDDEN}`),
];

const FIRST_LINES: readonly Shape[] = [
  ...[
    `POST ${PATH} HTTP/1.10`,
    `POST ${PATH} HTTP/1.2`,
    `POST ${PATH} HTTP/1.0`,
    `POST ${PATH} HTTP/2.0`,
    `POST ${PATH}`,
  ],
  ...[
    `POST ${PATH} HTTP/01.1`,
    `POST ${PATH} HTTP/1.1 HTTP/1.1`,
    `POST http://a${PATH} HTTP/1.1`,
    `POST\t${PATH}\tHTTP/1.1`,
  ],
  ...[
    `POST ${PATH}\rX HTTP/1.1`,
    `POST ${PATH}\0 HTTP/1.1`,
    `POST ${PATH}#x HTTP/1.1`,
    `GET ${PATH} HTTP/1.1`,
    `HEAD ${PATH} HTTP/1.1`,
  ],
  ...[
    `post ${PATH} HTTP/1.1`,
    `CONNECT ${PATH} HTTP/1.1`,
    `POST ${PATH} HTTP/1.1\n`,
    `\nPOST ${PATH} HTTP/1.1`,
    `\r\n\r\nPOST ${PATH} HTTP/1.1`,
  ],
].map((line) => shape(`first line ${JSON.stringify(line)}`, [FULL], BODY + HIDDEN, [line, ...START.slice(1)]));

const CONNECTIONS: readonly Shape[] = [
  ...[
    'Connection: close',
    'Connection: keep-alive, Content-Length',
    'Connection: Upgrade\r\nUpgrade: h2c',
    'Upgrade: websocket',
  ],
  ...[
    'Expect: 100-continue',
    'Proxy-Connection: close',
    'Host: b',
    'Host : b',
    'X: y\r\n\r\nGET /hidden HTTP/1.1\r\nhost: a',
  ],
].map((line) => shape(`with ${JSON.stringify(line)}`, [line, FULL], BODY + HIDDEN));

const ENDS: readonly Shape[] = [
  ['every line ends in LF', `${[...START, FULL].join('\n')}\n\n${BODY}${HIDDEN}`],
  ['every line ends in CR', `${[...START, FULL].join('\r')}\r\r${BODY}${HIDDEN}`],
  ['the head ends in LF', `${[...START, FULL].join('\r\n')}\r\n\n${BODY}${HIDDEN}`],
  ['the head ends in CR CR LF', `${[...START, FULL].join('\r\n')}\r\n\r\r\n${BODY}${HIDDEN}`],
  shape('a request behind the body', [FULL], BODY + HIDDEN),
  shape('half a request behind the body', [FULL], `${BODY}GET /hid`),
  shape('bytes behind the body', [FULL], `${BODY}\0\0\0`),
  shape('CRLF behind the body', [FULL], `${BODY}\r\n`),
];

/** Messages that two servers could cut in two places. `KEY` stands for a key that is valid. */
export const SMUGGLING: readonly Shape[] = [
  ...[...LENGTH_AND_CHUNKS, ...CODINGS, ...CODING_NAMES, ...LENGTHS, ...LENGTH_LINES],
  ...[...CHUNK_SHAPES, ...CHUNK_ENDS, ...FIRST_LINES, ...CONNECTIONS, ...ENDS],
];

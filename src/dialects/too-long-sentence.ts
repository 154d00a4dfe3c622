/**
 * Recognizes any vendor's sentence for a prompt that is too long, besides those of `too-long-messages.ts`, by its form:
 * the subject, that it is too long, and the limit. Vendors change their wording every month.
 */

/** The most characters of a sentence that are looked at. */
const MOST_CHARACTERS = 240;

/** How such a sentence begins. `max_tokens`, names of fields and quoted words are none of these. */
const BEGINS =
  /^(?:(?:the|your|this|an?|all|total|combined|estimated|requested|current|maximum|model(?:['’]s)?|user|chat|engine|decoder|encoder|multimodal|overall) )*(?:sum|total|number|amount|length|size|request|inputs?|prompts?|context|conversation|messages?|tokens?|too many)\b(?![._[])/i;

/** What is compared: that which the model reads. */
const READ = /\b(?:inputs?|prompts?|context|conversation|messages?|history)\b/i;
const TOKENS = /\btokens?\b/i;

/** That it is too much. */
const IS_TOO_LONG = /\btoo long\b/i;
const EXCEEDS =
  /\b(?:(?:cannot |must not |may not )?exceed(?:s|ed|ing)?|too (?:large|big|many)|(?:is|are|was|were) (?:longer|larger|greater|bigger|more|higher) than|overflow(?:s|ed)?|(?:does|do) not fit|doesn['’]t fit|must (?:be|have)(?: at most| less| fewer| smaller| ?<=?))/i;

/** A limit on what a model reads. */
const LIMIT = /\b(?:context|tokens?|lengths?|window|max_model_len|sequence)\b/i;

const COUNTED = /\b(?:limit|count|number|total|request(?:ed)?)\b/i;
const REQUEST = /\brequests?\b/i;
const WINDOW = /\b(?:context|prompt|input|max_model_len)\b/i;

/** Limits on something else: output, a file, the body's bytes, a name, a list, or what an account may use. */
const OTHER =
  /\b(?:output|completions?|images?|audio|videos?|files?|documents?|pdfs?|pages?|pixels?|bytes?|payload|[kmg]i?b|\d+[kmg]i?b|urls?|base64|characters?|items|array|tools?|functions?|names?|descriptions?|schemas?|headers?|metadata|stop|keys?|credits?|balance|budget|usage|plan|lifetime|expired|daily|monthly|concurren\w+|rate)\b/i;

/** The limit on output; as a summand of the prompt it belongs to the prompt. */
const OUTPUT_LIMIT = /\bmax(?:imum)?[_ ](?:(?:completion|output|new|generated)[_ ])?tokens?\b/i;
const SUM = /\b(?:and|plus)\b|\+/i;

/** In Chinese, Japanese and Korean: what is read, and within a few words that it is too long. */
const OTHER_LANGUAGES =
  /^[^。.！!？?“”"「『]{0,30}(?:(?:输入|提示词?|上下文|对话|消息|会话|prompt|tokens?)[^。，,；;“”"]{0,24}(?:超过|超出|超长|过长|太长|超限)|(?:超过|超出)了?[^。，,；;“”"]{0,8}上下文|(?:入力|プロンプト|コンテキスト)[^。「」]{0,40}(?:超え|超過|長すぎ)|(?:입력|프롬프트|컨텍스트)[^.“”"]{0,40}(?:초과|너무 (?:길|깁)))/i;
const OTHER_LIMITS =
  /输出|max_tokens|图片|图像|音频|视频|文件|字符|频率|限流|配额|每分钟|每天|并发|出力|画像|ファイル|출력|이미지|파일/;

/** Whether the first sentence of a text says that the prompt is too long; with its numbers if there are two. */
export function readTooLongSentence(text: string): { asked?: number; most?: number } | null {
  const [sentence = ''] = text.slice(0, MOST_CHARACTERS).split(/[.;!?](?=\s|$)|\n/, 1);
  const matchesTerms = isEnglish(sentence) || (OTHER_LANGUAGES.test(sentence) && !OTHER_LIMITS.test(sentence));
  return matchesTerms ? numbersIn(sentence) : null;
}

function isEnglish(sentence: string): boolean {
  if (!BEGINS.test(sentence) || OTHER.test(sentence)) return false;
  const long = IS_TOO_LONG.exec(sentence);
  const verb = EXCEEDS.exec(sentence);
  const before = sentence.slice(0, long?.index ?? verb?.index ?? 0);
  if (/["“”`]/.test(before)) return false;
  if (OUTPUT_LIMIT.test(before) && !(SUM.test(before) && READ.test(before))) return false;
  if (long !== null && (READ.test(before) || TOKENS.test(before))) return true;
  if (verb === null || !LIMIT.test(sentence)) return false;
  // “Tokens” alone must be about their number or limit, because a token may also be a credential.
  if (READ.test(verb.index === 0 ? sentence : before)) return true;
  if (TOKENS.test(before)) return COUNTED.test(before);
  return REQUEST.test(before) && WINDOW.test(sentence.slice(verb.index));
}

/** Two numbers of tokens, of which the larger was asked for. */
function numbersIn(sentence: string): { asked?: number; most?: number } {
  const found = sentence.match(/(?<![\w.,-])\d[\d,]*(?!\w|\.\d)/g) ?? [];
  const [one = 0, other = 0, ...more] = found.map((digits) => Number(digits.replaceAll(',', '')));
  if (more.length > 0 || Math.min(one, other) < LEAST_WINDOW) return {};
  return { asked: Math.max(one, other), most: Math.min(one, other) };
}

/** No window is smaller: such a number counts something else. */
const LEAST_WINDOW = 128;

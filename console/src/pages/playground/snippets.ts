/** The call as code, with this gateway's address; the key is the reader's own. */
export function snippetOf(kind: 'curl' | 'javascript' | 'python', body: Record<string, unknown>): string {
  const address = `${window.location.origin}/v1`;
  const json = JSON.stringify(body, null, 2);
  if (kind === 'curl') {
    return `curl ${address}/chat/completions \\
  -H "Authorization: Bearer $HEADGATE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", "'\\''")}'`;
  }
  if (kind === 'javascript') {
    return `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${address}', apiKey: process.env.HEADGATE_API_KEY });
const answer = await client.chat.completions.create(${json});
console.log(answer.choices[0].message);`;
  }
  return `import json, os
from openai import OpenAI

client = OpenAI(base_url="${address}", api_key=os.environ["HEADGATE_API_KEY"])
answer = client.chat.completions.create(**json.loads(${JSON.stringify(JSON.stringify(body))}))
print(answer.choices[0].message)`;
}

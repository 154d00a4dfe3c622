/** What a caller thought of an answer. One to a call: a later one takes its place. */
export type Feedback = {
  callId: string;
  organizationId: string;
  keyId: string;
  score: number;
  note: string | null;
  at: number;
};

/** What is known of a call's answer; it goes with the call. */
export type FeedbackStore = {
  put(feedback: Feedback): Promise<void>;
  find(callId: string): Promise<Feedback | null>;
};

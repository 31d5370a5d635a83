//! Words of questions, which tell nothing of an answer.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::runs::JOINTS;
use super::{Term, TermKind};

/// Whether the term is of questions, not of answers.
pub(super) fn is_stop(term: &Term) -> bool {
    match &term.kind {
        TermKind::Word(forms) => is_stop_word(forms.word()),
        TermKind::Compound(text) => text.split(|c| JOINTS.contains(c)).all(is_stop_word),
        TermKind::Pair(pair) => {
            let kana = pair.chars().all(|c| ('\u{3041}'..='\u{309F}').contains(&c));
            kana || STOP_PAIRS.contains(&pair.as_str())
        }
    }
}

fn is_stop_word(word: &str) -> bool {
    STOPS.contains(word)
}

static STOPS: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.split_whitespace().collect());

/// Articles, prepositions, question words and auxiliaries of English, German, French, Spanish,
/// Portuguese, Italian, Russian, Hindi, Arabic, Hebrew and Turkish.
const STOP_WORDS: &str = "
    a about after al all also am an and any are as at au auf aus aux avec be been before bei but
    by can ce cette com combien come comment como con could cual cuál cuáles cuándo cuánta
    cuántas cuánto cuántos cómo d da dans das de dei del della dem den der des did die do does
    dos du durch dónde e each ein eine einem einen einer el elle em en er es est et for
    from für get gets give given gli haben had hangi has hat hatte have how i if il ils im
    in into is ist it its kaç la las le les lo los many me mit much my nach nasıl ne nerede
    no o of on onde ont or os ou our où par para por pour pourquoi qu quais qual quali
    quand quando quantas quante quanti quanto quantos que quel quelle quelles quels quem qui
    quién quiénes quoi qué s se shall should sich sie sind so some sont sur t tell than that
    the their them then there these they this those tiene to u um un una und une us use used
    uses using viel viele vieler von vor wann war warum was we welch welche welchem welchen
    welcher welches wem wen wer werden were what when where which who whom whose why wie wieviel
    will wird with wo would wurde wurden y you your zu zum zur à был была были было в где для до
    есть за зачем и из как какая какие каких какого какое какой каком когда кто на о от по
    почему с сколько у что это איך איפה את כמה למה מה מי מתי על של أين إلى على في كم كيف لماذا
    ما ماذا متى من هل और कब कहाँ का कितना कितनी कितने किस की के कैसे को कौन कौनसा क्या क्यों था
    थी थे पर में से हर है हैं
";

/// Pairs of characters of questions.
const STOP_PAIRS: &[&str] = &[
    "什么",
    "甚麼",
    "哪个",
    "哪些",
    "多少",
    "怎么",
    "如何",
    "是什",
    "的是",
    "是多",
    "为什",
    "在哪",
    "哪里",
    "何で",
    "何を",
    "何が",
    "どの",
    "อะไ",
    "ไร",
    "무엇",
    "얼마",
    "어떤",
    "니까",
    "กี่",
    "เท่",
    "าไร",
    "몇개",
    "입니",
    "습니",
    "까요",
    "多大",
    "几个",
    "幾つ",
    "いく",
];

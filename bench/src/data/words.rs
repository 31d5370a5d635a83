//! Words of several languages, as texts in them have them.

/// English, for logs, sources and chat.
#[rustfmt::skip]
pub(super) const ENGLISH: &[&str] = &[
    "the", "of", "request", "connection", "to", "a", "failed", "after", "in", "and", "retry",
    "timeout", "with", "server", "cache", "for", "worker", "is", "done", "index", "from", "written",
    "queue", "by", "segment", "warning", "read", "table", "on", "file", "closed", "user", "session",
    "not", "found", "value", "checksum", "could", "be", "opened", "between", "upstream", "response",
    "invalid", "as", "header", "build", "finished", "this", "test", "passed", "compiling", "it",
];

/// French, German, Spanish, Polish, Vietnamese and Czech, precomposed.
#[rustfmt::skip]
pub(super) const LATIN: &[&str] = &[
    "le", "fichier", "a", "été", "créé", "façade", "déjà", "préféré", "l’élève", "où", "naïve",
    "die", "größte", "Übung", "für", "Änderung", "schließen", "können", "und", "Straße", "zurück",
    "el", "niño", "señor", "mañana", "está", "próxima", "versión", "configuración", "después",
    "zażółć", "gęślą", "jaźń", "źródło", "plików", "błąd", "został", "ścieżka", "być", "się",
    "không", "thể", "mở", "tệp", "đã", "được", "tạo", "ngôn", "ngữ", "lỗi", "příliš", "žluťoučký",
    "kůň", "úpěl", "soubor", "nelze", "načíst", "—", "«", "»", "…",
];

/// Words as in [`LATIN`], decomposed: a letter, then its accents.
#[rustfmt::skip]
pub(super) const COMBINING: &[&str] = &[
    "le", "fichier", "e\u{301}te\u{301}", "cre\u{301}e\u{301}", "fac\u{327}ade",
    "de\u{301}ja\u{300}", "ou\u{300}", "nai\u{308}ve", "die", "gro\u{308}\u{df}te", "U\u{308}bung",
    "fu\u{308}r", "A\u{308}nderung", "ko\u{308}nnen", "und", "zuru\u{308}ck", "nin\u{303}o",
    "sen\u{303}or", "man\u{303}ana", "esta\u{301}", "versio\u{301}n",
    "z\u{307}o\u{301}\u{142}c\u{301}", "ge\u{328}s\u{301}la\u{328}", "jaz\u{301}n\u{301}",
    "z\u{301}ro\u{301}d\u{142}o", "kho\u{302}ng", "the\u{302}\u{309}", "mo\u{31b}\u{309}",
    "te\u{323}\u{302}p", "\u{111}a\u{303}", "\u{111}u\u{31b}o\u{31b}\u{323}c", "ta\u{323}o",
    "ngo\u{302}n", "ngu\u{31b}\u{303}", "lo\u{302}\u{303}i", "pr\u{30c}i\u{301}lis\u{30c}",
    "z\u{30c}lut\u{30c}ouc\u{30c}ky\u{301}", "ku\u{30a}n\u{30c}", "u\u{301}pe\u{30c}l", "soubor",
    "nelze", "nac\u{30c}i\u{301}st",
];

/// Russian and Ukrainian.
#[rustfmt::skip]
pub(super) const CYRILLIC: &[&str] = &[
    "не", "удалось", "открыть", "файл", "и", "в", "соединение", "было", "закрыто", "сервером", "на",
    "с", "по", "значение", "настройка", "каталог", "запрос", "отклонён", "время", "ожидания",
    "истекло", "что", "это", "как", "пользователь", "ошибка", "чтения", "для", "список",
    "параметров", "съешь", "ещё", "этих", "мягких", "французских", "булок", "їжак", "ґанок",
    "європейський", "під", "час", "завантаження", "сторінки", "перевірка", "завершена", "успешно",
    "№", "—",
];

/// Chinese and Japanese, in pieces as they follow each other without spaces.
#[rustfmt::skip]
pub(super) const CJK: &[&str] = &[
    "无法", "打开", "文件", "，", "请求", "已经", "超时", "。", "服务器", "返回", "的", "响应",
    "中", "包含", "错误", "用户", "没有", "权限", "系统", "正在", "重新", "启动", "数据库", "连接",
    "失败", "檔案", "設定", "測定", "結果", "です", "。", "ファイル", "を", "開く", "ことが",
    "できません", "でした", "、", "サーバー", "から", "の", "応答", "は", "ありません", "データ",
    "ベース", "に", "接続", "して", "います", "「", "」", "漢字", "かな", "まじり", "文", "長い",
    "ログ", "出力", "ます", "！",
];

/// Korean, composed syllables.
#[rustfmt::skip]
pub(super) const KOREAN: &[&str] = &[
    "파일을", "열", "수", "없습니다", "서버에서", "응답이", "오지", "않아", "연결을", "끊었습니다",
    "사용자", "설정", "값이", "잘못되었습니다", "다시", "시도하십시오", "데이터베이스", "목록",
    "요청", "시간이", "초과되었습니다", "및", "그리고", "있는", "프로그램", "종료", "상태",
    "메모리가", "부족합니다", "키스의", "고유조건은", "입술끼리", "만나야", "하고", "특별한",
    "기술은", "필요치", "않다",
];

/// Hindi, with vowel signs and conjuncts.
#[rustfmt::skip]
pub(super) const HINDI: &[&str] = &[
    "फ़ाइल", "को", "खोला", "नहीं", "जा", "सका", "है", "और", "सर्वर", "से", "कोई", "उत्तर", "प्राप्त",
    "हुआ", "के", "लिए", "उपयोगकर्ता", "की", "अनुमति", "में", "त्रुटि", "क्षेत्र", "का", "परिणाम",
    "हिन्दी", "भाषा", "एक", "कृपया", "पुनः", "प्रयास", "करें", "संस्करण", "निर्देशिका", "यह", "विकल्प",
    "उपलब्ध", "समय", "समाप्त", "हो", "गया", "कनेक्शन", "बंद", "किया", "विश्व", "ज्ञान", "श्री", "लंबा",
    "।",
];

/// Thai, in words as they follow each other without spaces.
#[rustfmt::skip]
pub(super) const THAI: &[&str] = &[
    "ไม่", "สามารถ", "เปิด", "แฟ้ม", "ได้", "การ", "เชื่อมต่อ", "กับ", "เซิร์ฟเวอร์", "ถูก", "ปิด", "แล้ว",
    "ผู้ใช้", "ไม่มี", "สิทธิ์", "ใน", "ระบบ", "กำลัง", "เริ่ม", "ใหม่", "ข้อผิดพลาด", "ที่", "เกิดขึ้น",
    "จาก", "ค่า", "ของ", "ตัวเลือก", "นี้", "ต้อง", "เป็น", "จำนวน", "เต็ม", "หมดเวลา", "รอ", "คำตอบ",
    "ภาษาไทย", "น้ำ", "ทำ", "ให้", "และ", "หรือ", "ผลลัพธ์", "ตาราง", "ข้อมูล", " ", "๒๕๖๙",
];

/// Emoji of one scalar and of several.
#[rustfmt::skip]
pub(super) const EMOJI: &[&str] = &[
    "✅", "🎉", "🚀", "❌", "⚠️", "🔥", "👍🏽", "👩‍💻", "🇩🇪", "❤️", "😀", "🐛", "✨", "📦",
    "👨‍👩‍👧‍👦", "🏳️‍🌈", "🤷🏿‍♀️", "1️⃣", "💡", "🇯🇵", "🔧", "📝", "🙏🏻", "🧪", "♻️",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👀", "💥",
];
